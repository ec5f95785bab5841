import { useEffect } from "react";
import { Link } from "wouter";
import type { KeySecret, Stream } from "@/api/types";
import { EncoderGuide } from "@/features/connect/encoder-guide";
import { OnceNote } from "@/features/connect/once-note";
import { withUrls } from "@/features/streams/queries";
import { reachable } from "@/features/streams/urls";
import { useTopic } from "@/feed/use-topic";
import { plainText } from "@/format/hostile";
import { CopyField } from "@/ui/copy";
import { Panel } from "@/ui/panel";
import { WaitCard } from "./wait-card";

/** The two values an encoder needs, and the picture as soon as it arrives. */
export function EncoderStep({ stream, secret, onLive }: { stream: Stream; secret: KeySecret; onLive: () => void }) {
  const fed = useTopic("streams").items.find((s) => s.id === stream.id);
  const now = fed ? withUrls(fed, stream) : stream;
  const live = Boolean(now.live?.video ?? now.live?.audio);
  useEffect(() => {
    if (live) onLive();
  }, [live, onLive]);
  const server = reachable(secret.urls.rtmp_server);
  return (
    <div className="stack gap-6">
      {live ? (
        <div>
          <h1>You are live</h1>
          <p className="lead">The picture came from your encoder a moment ago. Send the play address to somebody, or open the stream to see its health.</p>
        </div>
      ) : (
        <div>
          <h1>Point your encoder here</h1>
          <p className="lead">Paste these two values into OBS and press Start Streaming. The gate opens when your picture arrives.</p>
        </div>
      )}
      <div className="duo">
        <Panel title={plainText(stream.name, 80)} sub={`${stream.vhost} / ${stream.app}`}>
          <div className="pad stack gap-5">
            <CopyField label="Server" what="server" value={server} />
            <CopyField label="Stream key" what="stream key" value={secret.secret} once hint={<OnceNote last4={secret.key.secret_last4} />} />
            <EncoderGuide server={server} secret={secret.secret} />
          </div>
        </Panel>
        <WaitCard stream={now} since={secret.key.created_at} live={live} />
      </div>
      {!live && (
        <p className="sm ink-3">
          No encoder at hand?{" "}
          <Link className="link" href="/">
            Do this later
          </Link>
          . Copy the key first: it is shown this once.
        </p>
      )}
    </div>
  );
}
