import { useVhosts } from "@/features/vhosts/queries";
import { plainText } from "@/format/hostile";

interface LimitProps {
  /** Ids of the vhosts; empty: all. */
  value: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Which vhosts somebody is limited to. With one vhost there is nothing to choose. */
export function VhostLimit({ value, onChange }: LimitProps) {
  const vhosts = useVhosts().data ?? [];
  if (vhosts.length < 2) return null;
  return (
    <fieldset className="stack tight">
      <legend>Only in these vhosts</legend>
      {vhosts.map((v) => (
        <label className="check" key={v.id}>
          <input type="checkbox" checked={value.includes(v.id)} onChange={(e) => onChange(e.target.checked ? [...value, v.id] : value.filter((id) => id !== v.id))} />
          <span>{plainText(v.name, 60)}</span>
        </label>
      ))}
      <span className="hint">{value.length === 0 ? "None chosen: all of them, also those made later." : "Users, API keys and the audit stay out of reach for whoever is limited."}</span>
    </fieldset>
  );
}

/** The vhosts somebody is limited to, in a row. */
export function VhostTags({ ids }: { ids: readonly string[] }) {
  const vhosts = useVhosts().data ?? [];
  return ids.map((id) => (
    <span className="tag" key={id} title="Limited to this vhost">
      {plainText(vhosts.find((v) => v.id === id)?.name ?? id, 40)}
    </span>
  ));
}
