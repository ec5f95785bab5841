import { useState } from "react";
import { sentence } from "@/api/problem";
import type { IPRule, RefererRule, Vhost } from "@/api/types";
import { useMay } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Confirm } from "@/ui/dialog";
import { ArrowDown, ArrowUp, Ellipsis, Trash } from "@/ui/icon";
import { Mark } from "@/ui/mark";
import { ActionMenu } from "@/ui/menu";
import { done, failed } from "@/ui/toast-store";
import { useDeleteRule, useMoveRule, type Verb } from "./queries";
import { scopeNames } from "./words";

function VerbCell({ verb }: { verb: Verb }) {
  return (
    <span className={`verb ${verb}`}>
      <Mark tone={verb === "allow" ? "ok" : "bad"} />
      {verb === "allow" ? "Allow" : "Deny"}
    </span>
  );
}

/** What happens to whoever no rule matches. */
export function RestRow({ verb, match, note }: { verb: Verb; match: string; note?: string }) {
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

/** A rule with its place; it can be moved and deleted. */
export function RuleRow(props: RowProps) {
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
