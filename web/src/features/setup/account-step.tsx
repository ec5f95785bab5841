import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { anonymous, ok, session } from "@/api/client";
import { ApiError, sentence } from "@/api/problem";
import { Button } from "@/ui/button";
import { PasswordField, TextField } from "@/ui/field";
import { Mark } from "@/ui/mark";
import { dropToken } from "./token";
import { WhatsNext } from "./whats-next";

const next = [
  { tone: "wait", text: "Your account", result: "now" },
  { tone: "idle", text: "Your first stream", result: "one minute", why: "A name for it, and a key for your encoder." },
  {
    tone: "idle",
    text: "Connect your encoder",
    result: "two minutes",
    why: "OBS Studio, FFmpeg, GStreamer or a phone app. It must reach this server’s RTMP port.",
  },
] as const;

/** Makes the admin with the token of the one-time link. */
export function AccountStep({ token }: { token: string }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const create = useMutation({
    mutationFn: () => ok(anonymous.POST("/api/v1/setup", { body: { token, email, password, name } })),
    onSuccess: (grant) => {
      dropToken(window.location, window.history);
      session.begin(grant);
    },
  });
  const problem = create.error instanceof ApiError ? create.error : null;
  const onField = Boolean(problem?.field("email") ?? problem?.field("password") ?? problem?.field("name"));
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    create.mutate();
  };
  return (
    <div className="stack gap-6">
      <div>
        <h1>Make your account</h1>
        <p className="lead">You are the first one here, so you will be the admin. There is no default password to change later.</p>
      </div>
      <div className="duo">
        <form className="panel pad stack" onSubmit={submit}>
          <TextField label="Name" name="name" autoComplete="name" value={name} onChange={(e) => setName(e.target.value)} problem={problem?.field("name")} />
          <TextField
            label="E-mail, to sign in with"
            type="email"
            name="email"
            autoComplete="username"
            required
            value={email}
            onChange={(e) => setEmail(e.target.value)}
            problem={problem?.field("email")}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="new-password"
            required
            minLength={12}
            value={password}
            onChange={(e) => setPassword(e.target.value)}
            hint="12 characters or more. A sentence is easier to remember than symbols."
            problem={problem?.field("password")}
          />
          {create.error && !onField && (
            <p className="hint bad" role="alert">
              <Mark tone="bad" />
              {sentence(create.error)}
            </p>
          )}
          <div className="acts">
            <Button type="submit" look="primary" disabled={token === ""} working={create.isPending && "Creating…"}>
              Create admin
            </Button>
          </div>
          {token === "" && (
            <p className="hint bad">
              <Mark tone="bad" />
              The one-time token is missing from the address. Open the link that Penstock printed, whole.
            </p>
          )}
        </form>
        <WhatsNext items={next} />
      </div>
      <p className="hint">
        This link works once. If it has ended, restart Penstock for a new one or run <code>penstock user create</code> on the server.
      </p>
    </div>
  );
}
