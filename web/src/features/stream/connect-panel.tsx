import * as RadixTabs from "@radix-ui/react-tabs";
import { useState } from "react";
import { Link } from "wouter";
import type { Stream } from "@/api/types";
import { EncoderGuide } from "@/features/connect/encoder-guide";
import { useKeys } from "@/features/keys/queries";
import { RotateDialog } from "@/features/keys/rotate-dialog";
import { reachable } from "@/features/streams/urls";
import { useVhosts } from "@/features/vhosts/queries";
import { useMay } from "@/app/session";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { CopyField } from "@/ui/copy";
import { Rotate } from "@/ui/icon";
import { Skeleton } from "@/ui/skeleton";

/** Where to publish to and where to play from. */
export function ConnectPanel({ stream }: { stream: Stream }) {
  return (
    <RadixTabs.Root defaultValue="publish" asChild>
      <section className="panel o4" aria-labelledby="connect">
        <header>
          <h2 id="connect">Connect</h2>
          <div className="end">
            <RadixTabs.List className="seg small" aria-label="Publish or play">
              <RadixTabs.Trigger value="publish">Publish</RadixTabs.Trigger>
              <RadixTabs.Trigger value="play">Play</RadixTabs.Trigger>
            </RadixTabs.List>
          </div>
        </header>
        <RadixTabs.Content value="publish" className="pad stack">
          <Publish stream={stream} />
        </RadixTabs.Content>
        <RadixTabs.Content value="play" className="pad stack">
          <Play stream={stream} />
        </RadixTabs.Content>
      </section>
    </RadixTabs.Root>
  );
}

function Publish({ stream }: { stream: Stream }) {
  const keys = useKeys(stream).data;
  const key = keys?.find((k) => k.enabled && k.live_session_ids.length > 0) ?? keys?.find((k) => k.enabled);
  const [rotating, setRotating] = useState(false);
  const may = useMay("operator");
  const server = stream.urls && reachable(stream.urls.rtmp_server);
  return (
    <>
      {server && <CopyField label="Server" what="server" value={server} />}
      {key && (
        <div className="field">
          <span className="label">
            Stream key <span className="end xs ink-3">{plainText(key.label, 40)}</span>
          </span>
          <div className="copy">
            <code>
              <span aria-hidden="true">sk_••••••••••••••{key.secret_last4}</span>
              <span className="vh">Hidden stream key ending in {key.secret_last4}</span>
            </code>
            {may && (
              <Button onClick={() => setRotating(true)}>
                <Rotate />
                Rotate
              </Button>
            )}
          </div>
          <span className="hint">A key is shown once, when it is made. Lost it? Rotate it: the old one keeps working for as long as you say.</span>
          <RotateDialog open={rotating} onClose={() => setRotating(false)} streamId={stream.id} streamName={stream.name} item={key} />
        </div>
      )}
      {server && <EncoderGuide server={server} />}
    </>
  );
}

function Play({ stream }: { stream: Stream }) {
  const vhost = useVhosts().data?.find((v) => v.name === stream.vhost);
  const { urls } = stream;
  if (!urls) return <Skeleton lines={3} />;
  return (
    <>
      <CopyField label="HTTP-FLV" what="HTTP-FLV address" value={reachable(urls.http_flv)} />
      <CopyField label="WebSocket-FLV" what="WebSocket-FLV address" value={reachable(urls.ws_flv)} />
      <CopyField
        label="RTMP"
        what="RTMP address"
        value={reachable(urls.rtmp_play)}
        hint={
          vhost?.play_policy === "token" && (
            <span className="hint">
              This vhost asks players for a token.{" "}
              <Link className="link" href={`/keys?mint=${encodeURIComponent(stream.name)}`}>
                Mint one
              </Link>
            </span>
          )
        }
      />
    </>
  );
}
