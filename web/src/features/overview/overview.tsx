import { lazy, Suspense, useMemo } from "react";
import { useMay } from "@/app/session";
import { phrase } from "@/features/events/phrase";
import { useStreams } from "@/features/streams/queries";
import { useTopic } from "@/feed/use-topic";
import { absolute } from "@/format/time";
import { ButtonLink } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { ChevronRight, Plus } from "@/ui/icon";
import { useNow } from "@/ui/now";
import { Page } from "@/ui/page";
import { Panel } from "@/ui/panel";
import { Skeleton } from "@/ui/skeleton";
import { Timeline } from "@/ui/timeline";
import { Busiest } from "./busiest";
import { Figures } from "./figures";
import { NeedsYou, needs } from "./needs-you";
import { NodePanel } from "./node-panel";
import { useOverview } from "./queries";

const OutChart = lazy(() => import("@/charts/out-chart"));

/** The whole server on one page: what needs you first, then the numbers. */
export function Overview() {
  const { now, points, error, retry } = useOverview();
  const streams = useStreams().items;
  const system = useTopic("system").items[0];
  const may = useMay("operator");
  const items = useMemo(() => needs(streams, system), [streams, system]);
  return (
    <Page
      title="Overview"
      about={<Clock node={system?.node} />}
      acts={
        may && (
          <ButtonLink look="primary" className="grow-s" href="/streams?new=1">
            <Plus />
            New stream
          </ButtonLink>
        )
      }
    >
      <NeedsYou items={items} />
      {now ? (
        <Figures now={now} points={points} made={streams.length} />
      ) : (
        <section className="panel">{error ? <Failed what="The overview" error={error} retry={retry} /> : <Skeleton lines={2} />}</section>
      )}
      <div className="split">
        <div className="stack">
          <Busiest streams={streams} />
          <section className="panel" aria-label="Bit rate out">
            <Suspense fallback={<Skeleton className="chart-wait short" />}>
              <OutChart points={points} />
            </Suspense>
          </section>
        </div>
        <div className="stack">
          {system && <NodePanel system={system} />}
          <Happened />
        </div>
      </div>
    </Page>
  );
}

function Clock({ node }: { node: string | undefined }) {
  const now = useNow();
  return <>{[absolute(now), node].filter(Boolean).join(" · ")}</>;
}

function Happened() {
  const { items } = useTopic("events");
  const latest = useMemo(() => [...items].reverse().slice(0, 8), [items]);
  const all = latest.length > 0 && (
    <ButtonLink look="quiet" small href="/sessions?show=events">
      All events
      <ChevronRight />
    </ButtonLink>
  );
  return (
    <Panel title="What happened" end={all}>
      {latest.length === 0 ? <Empty title="Nothing yet">Who publishes, who is refused and why stands here.</Empty> : <Timeline items={latest.map((e) => phrase(e, true))} />}
    </Panel>
  );
}
