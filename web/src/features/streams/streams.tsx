import { useDeferredValue, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useMay } from "@/app/session";
import { bitrate, count, plural, text } from "@/format/numbers";
import { plainText } from "@/format/hostile";
import { Button } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { Plus } from "@/ui/icon";
import { Page } from "@/ui/page";
import { Skeleton } from "@/ui/skeleton";
import { applyFilter, needsYou, readFilter, writeFilter, type Filter, type Show } from "./filter";
import { NewStream } from "./new-stream";
import { useStreams } from "./queries";
import { StreamTable } from "./stream-table";
import { Tile } from "./tile";
import { Tools } from "./tools";

const mostPinned = 4; // each pinned picture is a player with a stream of its own

/** Every stream, as tiles or rows. */
export default function Streams() {
  const search = useSearch();
  const [, go] = useLocation();
  const filter = useMemo(() => readFilter(search), [search]);
  const { items, pending, error, retry } = useStreams();
  const shown = useMemo(() => applyFilter(items, filter), [items, filter]);
  const drawn = useDeferredValue(shown);
  const [pins, setPins] = useState<readonly string[]>([]);
  const mayCreate = useMay("operator");
  const creating = new URLSearchParams(search).has("new");

  const change = (part: Partial<Filter>) => {
    const query = writeFilter({ ...filter, ...part });
    go(query ? `/streams?${query}` : "/streams", { replace: true });
  };
  const openNew = (open: boolean) => {
    const query = writeFilter(filter);
    go(`/streams${query || open ? "?" : ""}${[query, open ? "new=1" : ""].filter(Boolean).join("&")}`, { replace: !open });
  };
  const live = items.filter((s) => s.live);
  const counts: Record<Show, number> = { all: items.length, live: live.length, "needs-you": items.filter(needsYou).length, idle: items.length - live.length };
  const vhosts = [...new Set(items.map((s) => s.vhost))].sort();
  const players = live.reduce((n, s) => n + (s.live?.players ?? 0), 0);
  const rate = live.reduce((n, s) => n + (s.live?.in_kbps ?? 0), 0);
  const newButton = mayCreate && (
    <Button look="primary" className="grow-s" onClick={() => openNew(true)}>
      <Plus />
      New stream
    </Button>
  );

  return (
    <Page
      title="Streams"
      about={pending ? "Loading" : `${count(live.length)} live, ${plural(players, "player")}, ${text(bitrate(rate))} in`}
      acts={items.length > 0 && newButton}
    >
      {error ? (
        <section className="panel">
          <Failed what="Streams" error={error} retry={retry} />
        </section>
      ) : pending ? (
        <section className="panel">
          <Skeleton lines={6} />
        </section>
      ) : items.length === 0 ? (
        <section className="panel">
          <Empty art title="No streams yet" acts={newButton}>
            Make one, and you get a server URL and a key for OBS.
          </Empty>
        </section>
      ) : (
        <>
          <Tools filter={filter} onChange={change} counts={counts} vhosts={vhosts} />
          {shown.length === 0 ? (
            <section className="panel">
              <Empty title={filter.q ? `No stream matches “${plainText(filter.q, 60)}”` : "No stream is like that now"} acts={<Button onClick={() => go("/streams", { replace: true })}>Clear filters</Button>}>
                Looked in names, vhosts, apps and addresses.
              </Empty>
            </section>
          ) : filter.view === "table" ? (
            <section className="panel" aria-label="Streams">
              <StreamTable streams={drawn} />
            </section>
          ) : (
            <section className="tiles" aria-label="Streams">
              {drawn.map((s) => (
                <Tile
                  key={s.id}
                  stream={s}
                  pinned={pins.includes(s.id)}
                  onPin={() => setPins(pins.includes(s.id) ? pins.filter((p) => p !== s.id) : [...pins, s.id].slice(-mostPinned))}
                />
              ))}
            </section>
          )}
        </>
      )}
      <NewStream open={creating && mayCreate} onClose={() => openNew(false)} />
    </Page>
  );
}
