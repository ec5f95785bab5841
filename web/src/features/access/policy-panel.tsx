import { useState } from "react";
import type { Vhost } from "@/api/types";
import { useMay } from "@/app/session";
import { useVhosts } from "@/features/vhosts/queries";
import { Button } from "@/ui/button";
import { Drawer } from "@/ui/dialog";
import { Failed } from "@/ui/failed";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { PolicyForm } from "./policy-form";
import { mediaLabel, mediaSettings, unusual, type MediaName } from "./media-settings";
import { policies, policyLabel, policyNames } from "./policy-words";

/** What a vhost asks publishers and players for, and how long it waits for them. */
export function PolicyPanel({ vhost }: { vhost: Vhost | undefined }) {
  const vhosts = useVhosts();
  const [editing, setEditing] = useState(false);
  const may = useMay("admin");
  const change = may && vhost && (
    <Button look="quiet" small onClick={() => setEditing(true)} aria-label={`Change the policies of ${vhost.name}`}>
      Change
    </Button>
  );
  return (
    <Panel title="Who may publish and play" sub={vhost && `vhost ${vhost.name}`} end={change}>
      {vhost ? <Facts vhost={vhost} /> : vhosts.error ? <Failed what="Vhosts" error={vhosts.error} retry={() => void vhosts.refetch()} /> : <Skeleton lines={4} />}
      {vhost && editing && (
        <Drawer open onClose={() => setEditing(false)} title={`Policies of ${vhost.name}`} sub="Most hold for live sessions within a second; forms and chunk size for players that come later.">
          <PolicyForm vhost={vhost} onClose={() => setEditing(false)} />
        </Drawer>
      )}
    </Panel>
  );
}

function Facts({ vhost }: { vhost: Vhost }) {
  return (
    <div className="pad two-in">
      <dl className="facts">
        {policyNames.map((name) => (
          <Fact key={name} label={policies[name].label} setting={name} value={policyLabel(vhost, name)} />
        ))}
      </dl>
      <dl className="facts">
        {shown(vhost).map((name) => (
          <Fact key={name} label={mediaSettings[name].label} setting={name} value={mediaLabel(vhost.media, name)} />
        ))}
      </dl>
    </div>
  );
}

/** What people ask for, and whatever is not as usual. */
const always: readonly MediaName[] = ["queue_ms", "merge_ms", "publisher_gap_ms", "publisher_idle_ms"];
const shown = (vhost: Vhost) => [...always, ...unusual(vhost.media).filter((name) => !always.includes(name))];

function Fact({ label, setting, value }: { label: string; setting: string; value: string }) {
  return (
    <>
      <dt>
        {label} <code className="hide-s">{setting}</code>
      </dt>
      <dd>{value}</dd>
    </>
  );
}
