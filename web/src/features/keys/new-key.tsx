import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import type { KeySecret } from "@/api/types";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { TextField } from "@/ui/field";
import { useCreateKey } from "./queries";
import { SecretShown } from "./secret-shown";

interface NewKeyProps {
  open: boolean;
  onClose: () => void;
  streamId: string;
  streamName: string;
}

/** Makes one more key for a stream, and shows its secret once. */
export function NewKey({ open, onClose, streamId, streamName }: NewKeyProps) {
  const [made, setMade] = useState<KeySecret | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  if (made) return <SecretShown open={open} onClose={close} title={`Key “${made.key.label || "unnamed"}” is made`} made={made} streamName={streamName} />;
  return (
    <Dialog open={open} onClose={close} title={`New key for ${streamName}`} about="One key for each encoder or person, so that one can be taken away without the others.">
      <Form streamId={streamId} onMade={setMade} onCancel={close} />
    </Dialog>
  );
}

function Form({ streamId, onMade, onCancel }: { streamId: string; onMade: (made: KeySecret) => void; onCancel: () => void }) {
  const [label, setLabel] = useState("");
  const [expires, setExpires] = useState("");
  const [cidrs, setCidrs] = useState("");
  const create = useCreateKey(streamId);
  const problem = create.error instanceof ApiError ? create.error : null;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    const list = cidrs.split(/[\s,]+/).filter(Boolean);
    create.mutate({ label, ...(expires ? { expires_at: new Date(expires).toISOString() } : {}), ...(list.length > 0 ? { cidrs: list } : {}) }, { onSuccess: onMade });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label="Label" hint="Whose key it is." placeholder="Gallery A" maxLength={128} value={label} onChange={(e) => setLabel(e.target.value)} problem={problem?.field("label")} />
      <TextField label="Ends" hint="Empty: never." type="datetime-local" value={expires} onChange={(e) => setExpires(e.target.value)} problem={problem?.field("expires_at")} />
      <TextField
        label="Only from"
        hint="Addresses or ranges, with commas between. Empty: from anywhere."
        placeholder="198.51.100.0/24"
        value={cidrs}
        onChange={(e) => setCidrs(e.target.value)}
        problem={problem?.field("cidrs") ?? (create.error ? sentence(create.error) : undefined)}
      />
      <div className="acts">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="primary" working={create.isPending && "Creating…"}>
          Create key
        </Button>
      </div>
    </form>
  );
}
