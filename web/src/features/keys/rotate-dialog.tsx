import { useState, type SubmitEvent } from "react";
import { sentence } from "@/api/problem";
import type { Key, KeySecret } from "@/api/types";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { SelectField } from "@/ui/field";
import { useRotateKey } from "./queries";
import { SecretShown } from "./secret-shown";

const graces = [
  { value: 0, label: "Ends at once" },
  { value: 300, label: "Works for 5 more minutes" },
  { value: 3600, label: "Works for one more hour" },
  { value: 86_400, label: "Works for one more day" },
  { value: 604_800, label: "Works for one more week" },
] as const;

interface RotateProps {
  open: boolean;
  onClose: () => void;
  streamId: string;
  streamName: string;
  item: Key;
}

/** Makes a new secret; the old one keeps working for as long as you say. */
export function RotateDialog({ open, onClose, streamId, streamName, item }: RotateProps) {
  const [grace, setGrace] = useState(3600);
  const [live, setLive] = useState<"keep" | "kick">("keep");
  const [made, setMade] = useState<KeySecret | null>(null);
  const rotate = useRotateKey(streamId);
  const label = plainText(item.label || "Key", 60);
  const close = () => {
    setMade(null);
    rotate.reset();
    onClose();
  };
  if (made) return <SecretShown open={open} onClose={close} title={`New secret for ${label}`} made={made} streamName={streamName} />;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    rotate.mutate({ key: item, grace, live }, { onSuccess: setMade });
  };
  return (
    <Dialog open={open} onClose={close} title={`Rotate ${label}?`} about="You get a new secret, shown once. Put it into the encoder before the old one ends.">
      <form className="stack" onSubmit={submit}>
        <SelectField label={`The old secret …${item.secret_last4}`} value={grace} onChange={(e) => setGrace(Number(e.target.value))}>
          {graces.map((g) => (
            <option key={g.value} value={g.value}>
              {g.label}
            </option>
          ))}
        </SelectField>
        {item.live_session_ids.length > 0 && (
          <SelectField label="Who publishes with it now" value={live} onChange={(e) => setLive(e.target.value === "kick" ? "kick" : "keep")}>
            <option value="keep">Goes on</option>
            <option value="kick">Is kicked</option>
          </SelectField>
        )}
        {rotate.error && (
          <p className="hint bad" role="alert">
            {sentence(rotate.error)}
          </p>
        )}
        <div className="acts">
          <Button look="quiet" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" look="primary" working={rotate.isPending && "Rotating…"}>
            Rotate
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
