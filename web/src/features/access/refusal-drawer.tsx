import type { Refusal } from "@/api/types";
import { agentName, hostOnly } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Drawer } from "@/ui/dialog";
import { Mark } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { CheckList } from "./check-list";
import type { Question } from "./queries";
import { refusalWords, who } from "./words";

interface DrawerProps {
  refusal: Refusal | null;
  onClose: () => void;
  onExplain: (q: Question) => void;
}

/** A refusal with every check that was made. */
export function RefusalDrawer({ refusal, onClose, onExplain }: DrawerProps) {
  const { head, rest } = refusal ? refusalWords(refusal) : { head: "", rest: "" };
  return (
    <Drawer
      open={refusal !== null}
      onClose={onClose}
      title={head}
      sub={
        refusal && (
          <>
            {who(refusal)} <span className="mono">{hostOnly(refusal.peer)}</span> <Moment at={refusal.occurred_at} as="stamp" />
          </>
        )
      }
      footer={
        refusal && (
          <Button
            onClick={() => {
              onExplain({ action: refusal.action, url: asUrl(refusal), ip: hostOnly(refusal.peer), referer: "" });
              onClose();
            }}
          >
            Try it again in the tester
          </Button>
        )
      }
    >
      {refusal && (
        <>
          <div className="verdict bad">
            <b>
              <Mark tone="bad" />
              {head}
            </b>
            {rest && <p>{rest}</p>}
          </div>
          <CheckList checks={refusal.checks} />
          {refusal.agent && <p className="hint">It called itself {agentName(refusal.agent)}.</p>}
        </>
      )}
    </Drawer>
  );
}

function asUrl(r: Refusal): string {
  const vhost = r.vhost && r.vhost !== "default" ? `?vhost=${encodeURIComponent(r.vhost)}` : "";
  return r.protocol.startsWith("rtmp")
    ? `${r.protocol}://${window.location.hostname}/${r.app}/${r.name}${vhost}`
    : `${window.location.origin}/${r.app}/${r.name}.flv${vhost}`;
}
