import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { useMay } from "@/app/session";
import { matches } from "@/features/streams/filter";
import { useStreams } from "@/features/streams/queries";
import { plainText } from "@/format/hostile";
import { Button, ButtonLink } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { Search } from "@/ui/icon";
import { Page } from "@/ui/page";
import { Skeleton } from "@/ui/skeleton";
import { KeyPanel } from "./key-panel";
import { MintPanel } from "./mint-panel";

const atOnce = 12; // each panel asks for its own keys

/** Stream keys by stream, and tokens made on the spot. */
export default function Keys() {
  const search = useSearch();
  const [, go] = useLocation();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const q = params.get("q") ?? "";
  const shown = Number(params.get("shown")) || atOnce;
  const { items, pending } = useStreams();
  const mayMint = useMay("operator");
  const streams = items.filter((s) => s.configured && matches(s, q)).sort((a, b) => Number(Boolean(b.live)) - Number(Boolean(a.live)) || a.name.localeCompare(b.name));
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params);
    if (value) next.set(name, value);
    else next.delete(name);
    go(next.size > 0 ? `/keys?${next.toString()}` : "/keys", { replace: true });
  };
  return (
    <Page title="Keys and tokens" about="A key is what an encoder sends; it stays until you take it away. A token is a signed permission that ends by itself.">
      <div className="split">
        <div className="stack">
          <div className="tools">
            <div className="with-icon">
              <Search />
              <input className="input" type="search" placeholder="Stream, vhost or app" aria-label="Search streams" value={q} onChange={(e) => set("q", e.target.value)} />
              <kbd>/</kbd>
            </div>
          </div>
          {pending ? (
            <section className="panel">
              <Skeleton lines={6} />
            </section>
          ) : streams.length === 0 ? (
            <section className="panel">
              {q ? (
                <Empty title={`No stream matches “${plainText(q, 60)}”`} acts={<Button onClick={() => set("q", "")}>Clear search</Button>}>
                  Looked in names, vhosts and apps.
                </Empty>
              ) : (
                <Empty art title="No streams yet" acts={mayMint && <ButtonLink look="primary" href="/streams?new=1">New stream</ButtonLink>}>
                  A key belongs to a stream. Make one, and its first key is made along with it.
                </Empty>
              )}
            </section>
          ) : (
            streams.slice(0, shown).map((s) => <KeyPanel key={s.id} stream={s} title={plainText(s.name, 60)} />)
          )}
          {streams.length > shown && (
            <div className="acts">
              <Button onClick={() => set("shown", String(shown + atOnce))}>Show more streams</Button>
              <span className="num text-sm text-ink-3">
                {shown} of {streams.length}
              </span>
            </div>
          )}
        </div>
        {mayMint && (
          <div className="stack">
            <MintPanel stream={params.get("mint") ?? ""} streams={items} />
          </div>
        )}
      </div>
    </Page>
  );
}
