import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import type { Session, Stream } from "@/api/types";
import { useMay } from "@/app/session";
import { phrase } from "@/features/events/phrase";
import { KeyPanel } from "@/features/keys/key-panel";
import { useKeys } from "@/features/keys/queries";
import { KickDialog, type Kickable } from "@/features/sessions/kick-dialog";
import { healthOf } from "@/features/streams/health";
import { agentName, hostOnly, plainText } from "@/format/hostile";
import { Button, ButtonLink } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { LogOut } from "@/ui/icon";
import { Badge } from "@/ui/mark";
import { Page } from "@/ui/page";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { Timeline } from "@/ui/timeline";
import { CodecPanel } from "./codec-panel";
import { ConnectPanel } from "./connect-panel";
import { HealthPanel } from "./health-panel";
import { PicturePanel } from "./picture-panel";
import { PlayersPanel } from "./players-panel";
import { useStream, useStreamEvents, type StreamView } from "./queries";
import { Stats } from "./stats";
import { StreamMenu } from "./stream-menu";

const StreamCharts = lazy(() => import("@/charts/stream-charts")); // brings uPlot along

/** One stream: its picture, its health, what comes in, who watches, and how to connect. */
export default function StreamPage({ id }: { id: string }) {
  const view = useStream(id);
  const { stream } = view;
  if (stream) return <Loaded view={view} stream={stream} />;
  return (
    <Page title="Stream" crumbs={<Link href="/streams">Streams</Link>}>
      <section className="panel">
        {!view.error ? (
          <Skeleton lines={8} />
        ) : "status" in view.error && view.error.status === 404 ? (
          <Empty title="This stream is gone" acts={<ButtonLink href="/streams">All streams</ButtonLink>}>
            It was deleted, or it was live without having been created and has ended.
          </Empty>
        ) : (
          <Failed what="The stream" error={view.error} retry={view.retry} />
        )}
      </section>
    </Page>
  );
}

function Loaded({ view, stream }: { view: StreamView; stream: Stream }) {
  const [kicked, setKicked] = useState<Kickable | null>(null);
  const may = useMay("operator");
  const { live } = stream;
  const name = plainText(stream.name, 80);
  const health = healthOf(stream);
  return (
    <Page
      title={name}
      crumbs={
        <>
          <Link href="/streams">Streams</Link>
          <span>/</span>
          <Link href={`/streams?vhost=${encodeURIComponent(stream.vhost)}`}>{plainText(stream.vhost, 40)}</Link>
          <span>/</span>
          <span>{plainText(stream.app, 60)}</span>
        </>
      }
      heading={
        <>
          <span className="break-name">{name}</span>
          {live && <Badge tone="live">Live</Badge>}
          <Badge tone={health.tone}>{health.word}</Badge>
        </>
      }
      about={<Origin stream={stream} publisher={view.publisher} />}
      acts={
        may && (
          <>
            {live && (
              <Button
                look="danger"
                className="grow-s"
                onClick={() => setKicked({ id: live.publisher.session_id, peer: live.publisher.peer, role: "publisher", players: live.players })}
              >
                <LogOut />
                Kick publisher
              </Button>
            )}
            {stream.configured && <StreamMenu stream={stream} />}
          </>
        )
      }
    >
      <Stats stream={stream} />
      <div className="split reorder">
        <div className="stack">
          <PicturePanel stream={stream} />
          <div className="o3">
            <Suspense fallback={<Skeleton className="panel chart-wait" />}>
              <StreamCharts points={view.points} />
            </Suspense>
          </div>
          <PlayersPanel players={view.players} live={live} name={stream.name} />
          <Happened stream={stream} />
        </div>
        <div className="stack">
          <HealthPanel stream={stream} />
          <ConnectPanel stream={stream} />
          {live && <CodecPanel live={live} />}
          <KeyPanel stream={stream} className="o7" />
        </div>
      </div>
      <KickDialog target={kicked} onClose={() => setKicked(null)} />
    </Page>
  );
}

function Origin({ stream, publisher }: { stream: Stream; publisher: Session | undefined }) {
  const { live } = stream;
  const keys = useKeys(stream).data;
  if (!stream.enabled) return "Disabled: publishers and players are refused";
  if (!live) return stream.configured ? "Nobody publishes now" : "Live without having been created";
  const key = keys?.find((k) => k.id === publisher?.key_id);
  const withKey = key ? ` with the key “${plainText(key.label || `…${key.secret_last4}`, 40)}”` : publisher?.token_id ? " with a token" : "";
  const agent = agentName(live.publisher.agent);
  return `Published${withKey} from ${hostOnly(live.publisher.peer)}${agent ? `, ${agent}` : ""}`;
}

function Happened({ stream }: { stream: Stream }) {
  const events = useStreamEvents(stream);
  return (
    <Panel title="Timeline" className="o9">
      {events.length === 0 ? <Empty title="Nothing yet">Who publishes, who joins and who is refused stands here.</Empty> : <Timeline items={events.slice(0, 20).map((e) => phrase(e, false))} />}
    </Panel>
  );
}
