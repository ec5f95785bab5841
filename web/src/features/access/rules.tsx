import { useState, type ReactNode } from "react";
import { sentence } from "@/api/problem";
import type { IPRule, RefererRule, Vhost } from "@/api/types";
import { useMay } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/dialog";
import { Failed } from "@/ui/failed";
import { ArrowDown, ArrowUp, Ellipsis, Plus, Trash } from "@/ui/icon";
import { Mark } from "@/ui/mark";
import { ActionMenu } from "@/ui/menu";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { done, failed } from "@/ui/toast-store";
import { useDeleteRule, useIpRules, useMoveRule, useRefererRules, type Verb } from "./queries";
import { scopeNames } from "./words";

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
        <Row key={r.id} kind="referer" rule={r} place={i} all={items} match={r.pattern} reportOnly={r.report_only} vhost={vhost} />
      ))}
      {vhost && items.length > 0 && <Rest verb={vhost.referer_empty} match="No referer" note="as apps send" />}
      {vhost && <Rest verb={anyAllow ? "deny" : "allow"} match={items.length > 0 ? "Anything else" : "Any page"} />}
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
        <Row key={r.id} kind="ip" rule={r} place={i} all={items} match={r.cidr} reportOnly={false} vhost={vhost} />
      ))}
      {vhost && <Rest verb={closed ? "deny" : "allow"} match={items.length > 0 ? "Any other address" : "Any address"} />}
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

function VerbCell({ verb }: { verb: Verb }) {
  return (
    <span className={`verb ${verb}`}>
      <Mark tone={verb === "allow" ? "ok" : "bad"} />
      {verb === "allow" ? "Allow" : "Deny"}
    </span>
  );
}

function Rest({ verb, match, note }: { verb: Verb; match: string; note?: string }) {
  return (
    <tr className="rest">
      <td className="off-s" />
      <td className="s0 fit">
        <VerbCell verb={verb} />
      </td>
      <td className="s1">
        {match} {note && <span className="xs ink-3">{note}</span>}
      </td>
      <td className="off-s">By default</td>
      <td className="off-s" />
    </tr>
  );
}

type RowProps = {
  place: number;
  all: readonly { position: number }[];
  match: string;
  reportOnly: boolean;
  vhost: Vhost | undefined;
} & ({ kind: "referer"; rule: RefererRule } | { kind: "ip"; rule: IPRule });

function Row(props: RowProps) {
  const { rule, place, all, match, reportOnly, vhost, kind } = props;
  const [deleting, setDeleting] = useState(false);
  const may = useMay("admin");
  const move = useMoveRule(vhost?.id ?? "");
  const remove = useDeleteRule(vhost?.id ?? "");
  const neighbour = (step: -1 | 1) => all[place + step];
  const moveTo = (step: -1 | 1) => {
    const other = neighbour(step);
    if (other) move.mutate({ kind, rule, position: other.position }, { onError: (e) => failed("The rule was not moved.", sentence(e)), onSuccess: () => done(`Rule ${place + 1} moved ${step < 0 ? "up" : "down"}.`) });
  };
  const items = [
    ...(neighbour(-1) ? [{ label: "Move up", icon: <ArrowUp />, onSelect: () => moveTo(-1) }] : []),
    ...(neighbour(1) ? [{ label: "Move down", icon: <ArrowDown />, onSelect: () => moveTo(1) }] : []),
    { label: "Delete…", icon: <Trash />, danger: true, onSelect: () => setDeleting(true) },
  ];
  return (
    <tr>
      <td className="off-s">
        <span className="ord">{place + 1}</span>
      </td>
      <td className="s0 fit">
        <VerbCell verb={rule.action} />
      </td>
      <td className="mono s1">
        {plainText(match, 80)} {reportOnly && <span className="tag">report only</span>}
      </td>
      <td data-l="For">{scopeNames[rule.scope]}</td>
      <td className="act">
        {may && <ActionMenu label={`Rule ${place + 1}`} className="btn small" trigger={<Ellipsis />} items={items} />}
        <Confirm
          open={deleting}
          onClose={() => setDeleting(false)}
          title={`Delete rule ${place + 1}?`}
          about={`${rule.action === "allow" ? "Peers it let in may be refused, those connected now as well." : "Peers it kept out may come in."} The rules below it move up.`}
          verb="Delete rule"
          working="Deleting…"
          busy={remove.isPending}
          problem={remove.error ? sentence(remove.error) : undefined}
          onConfirm={() => remove.mutate(props, { onSuccess: () => setDeleting(false) })}
        />
      </td>
    </tr>
  );
}
