import type { ReactNode } from "react";
import type { Vhost } from "@/api/types";
import { Button } from "@/ui/button";
import { Failed } from "@/ui/failed";
import { Plus } from "@/ui/icon";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { useIpRules, useRefererRules } from "./queries";
import { RestRow, RuleRow } from "./rule-row";

interface RulesProps {
  vhost: Vhost | undefined;
  onAdd?: () => void;
}

export function RefererRules({ vhost, onAdd }: RulesProps) {
  const rules = useRefererRules(vhost?.id);
  const items = [...(rules.data ?? [])].sort((a, b) => a.position - b.position);
  const anyAllow = items.some((r) => r.action === "allow" && !r.report_only);
  return (
    <RulePanel title="Referer rules" count={items.length} onAdd={onAdd} query={rules} foot="A referer can be made up by the player. It keeps honest sites out; it does not keep secrets. Use tokens for that.">
      {items.map((r, i) => (
        <RuleRow key={r.id} kind="referer" rule={r} place={i} all={items} match={r.pattern} reportOnly={r.report_only} vhost={vhost} />
      ))}
      {vhost && items.length > 0 && <RestRow verb={vhost.referer_empty} match="No referer" note="as apps send" />}
      {vhost && <RestRow verb={anyAllow ? "deny" : "allow"} match={items.length > 0 ? "Anything else" : "Any page"} />}
    </RulePanel>
  );
}

export function IpRules({ vhost, onAdd }: RulesProps) {
  const rules = useIpRules(vhost?.id);
  const items = [...(rules.data ?? [])].sort((a, b) => a.position - b.position);
  const closed = vhost?.ip_preset === "srs2" || items.some((r) => r.action === "allow");
  const foot = vhost?.ip_preset === "srs2" ? "As SRS 2 does: without a rule nobody gets in." : "A deny rule refuses. Where allow rules exist, one has to match.";
  return (
    <RulePanel title="IP rules" count={items.length} onAdd={onAdd} query={rules} foot={foot}>
      {items.map((r, i) => (
        <RuleRow key={r.id} kind="ip" rule={r} place={i} all={items} match={r.cidr} reportOnly={false} vhost={vhost} />
      ))}
      {vhost && <RestRow verb={closed ? "deny" : "allow"} match={items.length > 0 ? "Any other address" : "Any address"} />}
    </RulePanel>
  );
}

interface RulePanelProps {
  title: string;
  count: number;
  onAdd: (() => void) | undefined;
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
  foot?: string;
  children: ReactNode;
}

function RulePanel({ title, count, onAdd, query, foot, children }: RulePanelProps) {
  const add = onAdd && (
    <Button look="quiet" small onClick={onAdd} aria-label={`Add to ${title}`}>
      <Plus />
      Add
    </Button>
  );
  return (
    <Panel title={title} sub={count} end={add} footer={foot}>
      {query.error ? (
        <Failed what={title} error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton lines={3} />
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>Order</th>
                <th>Verb</th>
                <th>Match</th>
                <th>For</th>
                <th className="act">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
