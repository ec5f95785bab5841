import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import type { Vhost } from "@/api/types";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { SelectField, TextField } from "@/ui/field";
import { done } from "@/ui/toast-store";
import { useAddRule, type Scope, type Verb } from "./queries";

/** Adds a rule at the end of its list. */
export function RuleDialog({ kind, vhost, onClose }: { kind: "referer" | "ip" | null; vhost: Vhost; onClose: () => void }) {
  return (
    <Dialog
      open={kind !== null}
      onClose={onClose}
      title={kind === "ip" ? "Add IP rule" : "Add referer rule"}
      about={`For the vhost ${vhost.name}. It goes below the others; the first rule that matches decides.`}
    >
      {kind && <Form kind={kind} vhost={vhost} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ kind, vhost, onClose }: { kind: "referer" | "ip"; vhost: Vhost; onClose: () => void }) {
  const [action, setAction] = useState<Verb>("deny");
  const [scope, setScope] = useState<Scope>(kind === "referer" ? "play" : "all");
  const [match, setMatch] = useState("");
  const [reportOnly, setReportOnly] = useState(false);
  const add = useAddRule(vhost.id);
  const problem = add.error instanceof ApiError ? (add.error.field("cidr") ?? add.error.field("pattern")) : undefined;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    add.mutate(
      { kind, action, scope, match: match.trim(), reportOnly },
      {
        onSuccess: () => {
          done("Rule added. It holds for live sessions too.");
          onClose();
        },
      },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="two-in">
        <SelectField label="Verb" value={action} onChange={(e) => setAction(e.target.value === "allow" ? "allow" : "deny")}>
          <option value="deny">Deny</option>
          <option value="allow">Allow</option>
        </SelectField>
        <SelectField label="For" value={scope} onChange={(e) => setScope(e.target.value === "publish" ? "publish" : e.target.value === "play" ? "play" : "all")}>
          <option value="all">Publish and play</option>
          <option value="publish">Publish</option>
          <option value="play">Play</option>
        </SelectField>
      </div>
      <TextField
        label={kind === "ip" ? "Address or range" : "Host of the page"}
        placeholder={kind === "ip" ? "192.0.2.128/25" : "sport.example.com"}
        hint={kind === "ip" ? "IPv4 or IPv6, a single address or a range." : "Its subdomains match too."}
        required
        autoComplete="off"
        spellCheck={false}
        value={match}
        onChange={(e) => setMatch(e.target.value)}
        problem={problem ?? (add.error ? sentence(add.error) : undefined)}
      />
      {kind === "referer" && (
        <label className="check">
          <input type="checkbox" checked={reportOnly} onChange={(e) => setReportOnly(e.target.checked)} />
          <span>Report only: write down what it would do, and let everybody by</span>
        </label>
      )}
      <div className="acts">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" working={add.isPending && "Adding…"}>
          Add rule
        </Button>
      </div>
    </form>
  );
}
