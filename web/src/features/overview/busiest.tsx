import type { Stream } from "@/api/types";
import { StreamTable } from "@/features/streams/stream-table";
import { useMay } from "@/app/session";
import { plural } from "@/format/numbers";
import { ButtonLink } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { ChevronRight, Plus } from "@/ui/icon";
import { Panel } from "@/ui/panel";

/** The streams most people watch. */
export function Busiest({ streams }: { streams: readonly Stream[] }) {
  const may = useMay("operator");
  const live = streams.filter((s) => s.live).sort((a, b) => (b.live?.players ?? 0) - (a.live?.players ?? 0) || a.name.localeCompare(b.name));
  const all = streams.length > 0 && (
    <ButtonLink look="quiet" small href="/streams">
      {streams.length === 1 ? "Streams" : `All ${plural(streams.length, "stream")}`}
      <ChevronRight />
    </ButtonLink>
  );
  return (
    <Panel title="Busiest streams" end={all}>
      {live.length > 0 ? (
        <StreamTable streams={live.slice(0, 7)} brief />
      ) : streams.length > 0 ? (
        <Empty art title="Nothing is live" acts={<ButtonLink href="/streams">Show streams</ButtonLink>}>
          Start an encoder, and its stream stands here within a second.
        </Empty>
      ) : (
        <Empty
          art
          title="No streams yet"
          acts={
            may && (
              <ButtonLink look="primary" href="/streams?new=1">
                <Plus />
                New stream
              </ButtonLink>
            )
          }
        >
          Make one, and you get a server URL and a key for OBS.
        </Empty>
      )}
    </Panel>
  );
}
