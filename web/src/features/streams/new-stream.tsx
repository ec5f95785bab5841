import { useState, type SubmitEvent } from "react";
import { useLocation } from "wouter";
import { ApiError, sentence } from "@/api/problem";
import type { KeySecret, Stream } from "@/api/types";
import { EncoderGuide } from "@/features/connect/encoder-guide";
import { OnceNote } from "@/features/connect/once-note";
import { useVhosts } from "@/features/vhosts/queries";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy";
import { Dialog } from "@/ui/dialog";
import { SelectField, TextField } from "@/ui/field";
import { NameHint } from "./name-hint";
import { useCreateStream } from "./queries";
import { encodedName } from "./safe-name";
import { reachable } from "./urls";

/** Names a stream; then shows what its encoder needs, once. */
export function NewStream({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<{ stream: Stream; key: KeySecret } | null>(null);
  const [, go] = useLocation();
  const close = () => {
    setMade(null);
    onClose();
  };
  if (made) {
    const server = reachable(made.key.urls.rtmp_server);
    return (
      <Dialog open={open} onClose={close} title={`Connect an encoder to ${plainText(made.stream.name, 40)}`} about="Paste these two values into the encoder.">
        <CopyField label="Server" what="server" value={server} />
        <CopyField label="Stream key" what="stream key" value={made.key.secret} once hint={<OnceNote last4={made.key.key.secret_last4} />} />
        <EncoderGuide server={server} secret={made.key.secret} />
        <div className="acts">
          <Button
            look="primary"
            onClick={() => {
              setMade(null);
              go(`/streams/${made.stream.id}`);
            }}
          >
            Open stream
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onClose={close} title="New stream" about="Players use its name. The key its encoder sends is made along with it and is a different thing.">
      <Form onMade={setMade} onCancel={close} />
    </Dialog>
  );
}

function Form({ onMade, onCancel }: { onMade: (made: { stream: Stream; key: KeySecret }) => void; onCancel: () => void }) {
  const vhosts = useVhosts();
  const [name, setName] = useState("");
  const [app, setApp] = useState("live");
  const [vhost, setVhost] = useState("default");
  const create = useCreateStream();
  const problem = create.error instanceof ApiError ? create.error : null;
  const other = create.error && !problem?.field("name") && !problem?.field("app") ? sentence(create.error) : undefined;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    create.mutate({ name, app, vhost_id: vhost }, { onSuccess: onMade });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label="Stream name" name="stream" required maxLength={128} autoComplete="off" spellCheck={false} value={name} onChange={(e) => setName(e.target.value)} hint={encodedName(name) !== null && <NameHint name={name} onTake={setName} />} problem={problem?.field("name") ?? other} />
      <div className="two-in">
        <TextField label="App" name="app" required maxLength={128} autoComplete="off" spellCheck={false} value={app} onChange={(e) => setApp(e.target.value)} problem={problem?.field("app")} />
        <SelectField label="Vhost" value={vhost} onChange={(e) => setVhost(e.target.value)}>
          {(vhosts.data ?? [{ name: "default" }]).map((v) => (
            <option key={v.name}>{v.name}</option>
          ))}
        </SelectField>
      </div>
      <div className="acts">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="primary" working={create.isPending && "Creating…"}>
          Create stream and key
        </Button>
      </div>
    </form>
  );
}
