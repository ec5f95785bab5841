import { useState } from "react";
import { sentence } from "@/api/problem";
import { hostOnly } from "@/format/hostile";
import { Confirm } from "@/ui/dialog";
import { SelectField, TextField } from "@/ui/field";
import { done } from "@/ui/toast-store";
import { useKick } from "./queries";

export interface Kickable {
  id: string;
  peer: string;
  role: "publisher" | "player" | "unknown";
  /** Players of the stream, when a publisher is kicked. */
  players?: number;
}

const bans = [
  { value: "0", label: "Do not ban: it may come back at once" },
  { value: "60", label: "Ban its address for a minute" },
  { value: "900", label: "Ban its address for 15 minutes" },
  { value: "3600", label: "Ban its address for an hour" },
  { value: "86400", label: "Ban its address for a day" },
] as const;

/** Says the cost of a kick, then kicks. */
export function KickDialog({ target, onClose }: { target: Kickable | null; onClose: () => void }) {
  return target && <Open key={target.id} target={target} onClose={onClose} />;
}

function Open({ target, onClose }: { target: Kickable; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [ban, setBan] = useState("0");
  const kick = useKick();
  const publisher = target.role === "publisher";
  const what = publisher ? "publisher" : target.role === "player" ? "player" : "session";
  const host = hostOnly(target.peer);
  const cost = publisher
    ? `The stream stops. ${target.players ? `${target.players === 1 ? "Its player waits" : `Its ${target.players} players wait`} a moment for a new publisher, then they are cut off.` : "Nobody is watching it now."} An encoder that reconnects by itself comes back unless it is banned or its key is disabled.`
    : "It is cut off at once. A player that reconnects by itself comes back unless it is banned.";
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Kick ${what} ${host}?`}
      about={cost}
      verb={`Kick ${what}`}
      working="Kicking…"
      busy={kick.isPending}
      problem={kick.error ? sentence(kick.error) : undefined}
      onConfirm={() =>
        kick.mutate(
          { session: target, reason: reason.trim(), ban: Number(ban) },
          {
            onSuccess: () => {
              done(publisher ? "Publisher kicked." : "Kicked.");
              onClose();
            },
          },
        )
      }
    >
      <TextField label="Reason" hint="Stands in the log, the event and the session’s history." maxLength={256} value={reason} onChange={(e) => setReason(e.target.value)} placeholder="Wrong programme" />
      <SelectField label="And then" value={ban} onChange={(e) => setBan(e.target.value)}>
        {bans.map((b) => (
          <option key={b.value} value={b.value}>
            {b.label}
          </option>
        ))}
      </SelectField>
    </Confirm>
  );
}
