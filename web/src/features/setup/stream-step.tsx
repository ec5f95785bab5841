import { useState, type SubmitEvent } from "react";
import { ApiError, sentence } from "@/api/problem";
import type { KeySecret, Stream } from "@/api/types";
import { useUser } from "@/app/session";
import { NameHint } from "@/features/streams/name-hint";
import { useCreateStream } from "@/features/streams/queries";
import { playPath } from "@/features/streams/urls";
import { Button, ButtonLink } from "@/ui/button";
import { TextField } from "@/ui/field";
import { Mark } from "@/ui/mark";
import { WhatsNext } from "./whats-next";

/** Names the first stream. Its key is made along with it. */
export function StreamStep({ onMade }: { onMade: (made: { stream: Stream; key: KeySecret }) => void }) {
  const user = useUser();
  const [name, setName] = useState("");
  const [app, setApp] = useState("live");
  const create = useCreateStream();
  const problem = create.error instanceof ApiError ? create.error : null;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    create.mutate({ name, app, vhost_id: "default" }, { onSuccess: onMade });
  };
  return (
    <div className="stack gap-6">
      <div>
        <h1>Name your first stream</h1>
        <p className="lead">Players will use this name. The secret your encoder sends is made for you and is a different thing.</p>
      </div>
      <div className="duo">
        <form className="panel pad stack" onSubmit={submit}>
          <TextField
            label="Stream name"
            name="stream"
            required
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            placeholder="match-day"
            value={name}
            onChange={(e) => setName(e.target.value)}
            hint={
              <NameHint name={name} onTake={setName}>
                Letters, digits, dots and dashes are safest. You can have as many streams as you like.
              </NameHint>
            }
            problem={problem?.field("name")}
          />
          <TextField
            label="App"
            name="app"
            required
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            value={app}
            onChange={(e) => setApp(e.target.value)}
            hint="The first part of the path."
            problem={problem?.field("app")}
          />
          <div className="field">
            <span className="label">People will watch at</span>
            <div className="copy">
              <code>{window.location.origin + playPath({ vhost: "default", app: app || "live", name: name || "match-day" })}</code>
            </div>
          </div>
          {create.error && !problem?.field("name") && !problem?.field("app") && (
            <p className="hint bad" role="alert">
              <Mark tone="bad" />
              {sentence(create.error)}
            </p>
          )}
          <div className="acts">
            <Button type="submit" look="primary" working={create.isPending && "Creating…"}>
              Create stream and key
            </Button>
            <ButtonLink href="/" look="quiet">
              Do this later
            </ButtonLink>
          </div>
        </form>
        <WhatsNext
          items={[
            { tone: "ok", text: "Your account", result: "done", why: `${user.email}, ${user.role}` },
            { tone: "wait", text: "Your first stream", result: "now", why: "The name is public. The key is the secret." },
            {
              tone: "idle",
              text: "Connect your encoder",
              result: "two minutes",
              why: "OBS Studio, FFmpeg, GStreamer or a phone app. It must reach this server’s RTMP port.",
            },
          ]}
        />
      </div>
    </div>
  );
}
