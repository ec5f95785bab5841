import { useMutation } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { api, idempotent, ok } from "@/api/client";
import { ApiError, sentence } from "@/api/problem";
import type { Stream, Token } from "@/api/types";
import { reachable } from "@/features/streams/urls";
import { absolute } from "@/format/time";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy";
import { SelectField, TextField } from "@/ui/field";
import { Panel } from "@/ui/panel";
import { Segmented } from "@/ui/segmented";

const lengths = [
  { value: 300, label: "5 minutes" },
  { value: 3600, label: "an hour" },
  { value: 86_400, label: "a day" },
  { value: 2_592_000, label: "30 days" },
] as const;

/** Makes a token, and the addresses with the token in them. */
export function MintPanel({ stream, streams }: { stream: string; streams: readonly Stream[] }) {
  const [action, setAction] = useState<"play" | "publish">("play");
  const [name, setName] = useState(stream);
  const [lasts, setLasts] = useState(3600);
  const [ip, setIp] = useState("");
  const [referer, setReferer] = useState("");
  const known = streams.find((s) => s.name === name);
  const mint = useMutation({
    mutationFn: () =>
      ok(
        api.POST("/api/v1/tokens", {
          body: {
            action,
            vhost: known?.vhost ?? "default",
            app: known?.app ?? "live",
            stream: name,
            expires_in_seconds: lasts,
            ...(ip ? { ip } : {}),
            ...(referer && action === "play" ? { referer } : {}),
          },
          headers: idempotent(),
        }),
      ),
  });
  const problem = mint.error instanceof ApiError ? mint.error : null;
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    mint.mutate();
  };
  return (
    <Panel
      title="Mint a token"
      end={
        <Segmented
          small
          label="What it permits"
          value={action}
          onChange={(a) => {
            setAction(a);
            mint.reset();
          }}
          segments={[
            { value: "play", label: "Play" },
            { value: "publish", label: "Publish" },
          ]}
        />
      }
    >
      <form className="pad stack" onSubmit={submit}>
        <TextField
          label="Stream"
          required
          list="mint-streams"
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(e) => setName(e.target.value)}
          hint="A trailing * permits every stream that begins so."
          problem={problem?.field("stream")}
        />
        <datalist id="mint-streams">
          {streams.slice(0, 200).map((s) => (
            <option key={s.id} value={s.name} />
          ))}
        </datalist>
        <SelectField label="A session may begin within" value={lasts} onChange={(e) => setLasts(Number(e.target.value))}>
          {lengths.map((l) => (
            <option key={l.value} value={l.value}>
              {l.label}
            </option>
          ))}
        </SelectField>
        <TextField label="Only from address" placeholder="Any" value={ip} onChange={(e) => setIp(e.target.value)} problem={problem?.field("ip")} />
        {action === "play" && (
          <TextField label="Only on pages of" placeholder="Any" value={referer} onChange={(e) => setReferer(e.target.value)} problem={problem?.field("referer")} />
        )}
        {mint.error && !problem?.fields.size && (
          <p className="hint bad" role="alert">
            {sentence(mint.error)}
          </p>
        )}
        <div className="acts">
          <Button type="submit" working={mint.isPending && "Minting…"}>
            Mint token
          </Button>
        </div>
        {mint.data && <Minted token={mint.data} />}
      </form>
    </Panel>
  );
}

function Minted({ token }: { token: Token }) {
  const { urls } = token;
  return (
    <>
      <CopyField label="Token" what="token" value={token.token} once hint={<span className="hint">Holds until {absolute(new Date(token.expires_at))}. It is not kept here.</span>} />
      {urls.rtmp_server && <CopyField label="Server" what="server" value={reachable(urls.rtmp_server)} />}
      {urls.rtmp_stream_key && <CopyField label="Stream key for the encoder" what="stream key" value={urls.rtmp_stream_key} />}
      {urls.http_flv && <CopyField label="HTTP-FLV" what="HTTP-FLV address" value={reachable(urls.http_flv)} />}
      {urls.rtmp && token.action === "play" && <CopyField label="RTMP" what="RTMP address" value={reachable(urls.rtmp)} />}
    </>
  );
}
