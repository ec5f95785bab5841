import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy";
import { Dialog } from "@/ui/dialog";
import { TextField } from "@/ui/field";
import { useAddApiKey, type ApiScope } from "./queries";
import { VhostLimit } from "./vhost-limit";

const scopes: readonly { value: ApiScope; label: string }[] = [
  { value: "streams:read", label: "Look at streams, sessions and events" },
  { value: "streams:write", label: "Make, change and delete streams" },
  { value: "keys:write", label: "Make, rotate and disable stream keys" },
  { value: "tokens:mint", label: "Mint tokens" },
  { value: "sessions:kick", label: "Kick publishers and players" },
  { value: "admin", label: "Everything" },
];

/** Makes a key for a machine and shows its secret once. */
export function ApiKeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  return secret === null ? (
    <Dialog open={open} onClose={close} title="New API key" about="For one machine or program. Give it no more than it needs.">
      <Form onMade={setSecret} onCancel={close} />
    </Dialog>
  ) : (
    <Dialog open={open} onClose={close} title="The API key is made" about="Send it as Authorization: Bearer.">
      <CopyField label="API key" what="API key" value={secret} once hint={<span className="hint">Shown this once. Lost it? Revoke it and make another.</span>} />
      <div className="acts">
        <Button look="primary" onClick={close}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}

function Form({ onMade, onCancel }: { onMade: (secret: string) => void; onCancel: () => void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly ApiScope[]>(["streams:read"]);
  const [vhosts, setVhosts] = useState<string[]>([]);
  const [expires, setExpires] = useState("");
  const add = useAddApiKey();
  const problem = add.error instanceof ApiError ? add.error : null;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    add.mutate({ name, scopes: [...chosen], vhost_ids: vhosts, ...(expires ? { expires_at: new Date(expires).toISOString() } : {}) }, { onSuccess: (made) => onMade(made.secret) });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label="Name" hint="What uses it." placeholder="backend" required maxLength={128} value={name} onChange={(e) => setName(e.target.value)} problem={problem?.field("name")} />
      <fieldset className="stack tight">
        <legend>It may</legend>
        {scopes.map((s) => (
          <label className="check" key={s.value}>
            <input
              type="checkbox"
              checked={chosen.includes(s.value)}
              onChange={(e) => setChosen(e.target.checked ? [...chosen, s.value] : chosen.filter((c) => c !== s.value))}
            />
            <span>
              {s.label} <code className="ink-3">{s.value}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <VhostLimit value={vhosts} onChange={setVhosts} />
      <TextField
        label="Ends"
        hint="Empty: never."
        type="datetime-local"
        value={expires}
        onChange={(e) => setExpires(e.target.value)}
        problem={problem?.field("expires_at") ?? (add.error && !problem?.field("name") ? sentence(add.error) : undefined)}
      />
      <div className="acts">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={chosen.length === 0} working={add.isPending && "Creating…"}>
          Create API key
        </Button>
      </div>
    </form>
  );
}
