import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import type { Vhost } from "@/api/types";
import { useChangePolicies, useVhosts } from "@/features/vhosts/queries";
import { Button } from "@/ui/button";
import { SelectField, TextField } from "@/ui/field";
import { done } from "@/ui/toast-store";
import { mediaGroups, mediaSettings, type MediaName } from "./media-settings";
import { changeOf, draftOf, policies, policyNames, type PolicyDraft, type PolicyName } from "./policy-words";

/** Changes the policies of a vhost. It is based on the vhost as it was when the form opened. */
export function PolicyForm({ vhost, onClose }: { vhost: Vhost; onClose: () => void }) {
  const [base, setBase] = useState(vhost);
  const [draft, setDraft] = useState<PolicyDraft>(() => draftOf(vhost));
  const save = useChangePolicies();
  const { refetch } = useVhosts();
  const problem = save.error instanceof ApiError ? save.error : null;
  const change = changeOf(base, draft);
  const set = (name: PolicyName | MediaName, value: string) => setDraft({ ...draft, [name]: value });
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    if (!change) return;
    save.mutate(
      { vhost: base, change },
      {
        onSuccess: () => {
          done(`The policies of ${base.name} are changed.`);
          onClose();
        },
      },
    );
  };
  const startAnew = async () => {
    const now = (await refetch()).data?.find((v) => v.id === base.id);
    if (!now) return;
    setBase(now);
    setDraft(draftOf(now));
    save.reset();
  };
  return (
    <form className="stack" onSubmit={submit}>
      {policyNames.map((name) => (
        <PolicyField key={name} name={name} value={draft[name]} onChange={(v) => set(name, v)} problem={problem?.field(name)} />
      ))}
      {mediaGroups.map(({ title, settings }) => (
        <fieldset key={title} className="group">
          <legend>{title}</legend>
          {(Object.keys(settings) as MediaName[]).map((name) => (
            <MediaField key={name} name={name} value={draft[name]} onChange={(v) => set(name, v)} problem={problem?.field(name)} />
          ))}
        </fieldset>
      ))}
      {save.error && (problem?.status === 412 ? <Outdated onReload={() => void startAnew()} /> : !problem?.fields.size && <Failure text={sentence(save.error)} />)}
      <div className="acts">
        <Button type="submit" look="primary" disabled={!change} working={save.isPending && "Saving…"}>
          Save
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface FieldProps<Name extends string> {
  name: Name;
  value: string;
  onChange: (value: string) => void;
  problem: string | undefined;
}

function PolicyField({ name, ...rest }: FieldProps<PolicyName>) {
  return <ChoiceField name={name} {...policies[name]} {...rest} />;
}

function MediaField({ name, ...rest }: FieldProps<MediaName>) {
  const setting = mediaSettings[name];
  if (setting.kind === "choice") return <ChoiceField name={name} {...setting} {...rest} />;
  const { label, hint, min, max, unit } = setting;
  const { value, onChange, problem } = rest;
  return (
    <TextField
      label={<Label text={`${label}, ${unit}`} setting={name} />}
      hint={hint}
      type="number"
      required
      min={min}
      max={max}
      step={1}
      value={value}
      onChange={(e) => onChange(e.target.value)}
      problem={problem}
    />
  );
}

interface ChoiceProps extends FieldProps<string> {
  label: string;
  choices: readonly { value: string; label: string; so: string }[];
}

function ChoiceField({ name, label, choices, value, onChange, problem }: ChoiceProps) {
  return (
    <SelectField label={<Label text={label} setting={name} />} value={value} onChange={(e) => onChange(e.target.value)} problem={problem} hint={choices.find((c) => c.value === value)?.so}>
      {choices.map((c) => (
        <option key={c.value} value={c.value}>
          {c.label}
        </option>
      ))}
    </SelectField>
  );
}

function Label({ text, setting }: { text: string; setting: string }) {
  return (
    <>
      {text} <code className="ink-3">{setting}</code>
    </>
  );
}

function Failure({ text }: { text: string }) {
  return (
    <p className="hint bad" role="alert">
      {text}
    </p>
  );
}

function Outdated({ onReload }: { onReload: () => void }) {
  return (
    <>
      <Failure text="Somebody else changed this vhost meanwhile. Nothing of yours was saved. Reload to see how it is now, then change what is still wrong." />
      <div className="acts">
        <Button onClick={onReload}>Reload</Button>
      </div>
    </>
  );
}
