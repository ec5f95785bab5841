import { reasonTone, reasonWords } from "@/features/events/reasons";
import { plainText, sentenceText } from "@/format/hostile";
import { duration } from "@/format/time";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Empty } from "@/ui/empty";
import { Failed } from "@/ui/failed";
import { Mark } from "@/ui/mark";
import { Moment } from "@/ui/moment";
import { Bytes } from "@/ui/quantity";
import { Skeleton } from "@/ui/skeleton";
import { applyFilter, type Filter } from "./filter";
import { useEndedSessions } from "./queries";
import { PeerCell, RoleCell, StreamCell } from "./session-cells";

/** Who was connected, how long, and why it ended. */
export function EndedSessions({ filter, open, onOpen }: { filter: Filter; open: string | null; onOpen: (id: string) => void }) {
  const ended = useEndedSessions(filter.role, true);
  const all = ended.data?.pages.flatMap((p) => p.items) ?? [];
  const shown = applyFilter(all, filter).sort((a, b) => (b.ended_at ?? "").localeCompare(a.ended_at ?? ""));
  return (
    <section className="panel" aria-label="Ended sessions">
      {ended.isPending ? (
        <Skeleton lines={6} />
      ) : ended.error ? (
        <Failed what="Ended sessions" error={ended.error} retry={() => void ended.refetch()} />
      ) : shown.length === 0 ? (
        <Empty title={filter.q ? `No session matches “${plainText(filter.q, 60)}”` : "No session has ended yet"}>
          Each session that ends is kept here with its reason.
        </Empty>
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>Stream</th>
                <th>Role</th>
                <th>Peer</th>
                <th>Why it ended</th>
                <th className="r">Lasted</th>
                <th className="r">Volume</th>
                <th className="r">Ended</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((s) => (
                <tr key={s.id} className={cx(s.id === open && "is-on")}>
                  <td className="name s0">
                    <StreamCell session={s} onOpen={() => onOpen(s.id)} />
                  </td>
                  <td className="s1">
                    <RoleCell session={s} />
                  </td>
                  <td className="full">
                    <PeerCell session={s} />
                  </td>
                  <td className="full">
                    <span className="row">
                      <Mark tone={reasonTone(s.reason ?? "")} />
                      <span className="two">
                        <span>{reasonWords(s.reason ?? "unknown")}</span>
                        {s.detail && <span>{sentenceText(s.detail, 160)}</span>}
                      </span>
                    </span>
                  </td>
                  <td className="r" data-l="Lasted">
                    {duration(s.duration_ms / 1000)}
                  </td>
                  <td className="r off-s">
                    <Bytes n={s.role === "publisher" ? s.bytes_in : s.bytes_out} />
                  </td>
                  <td className="r" data-l="Ended">
                    <Moment at={s.ended_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ended.hasNextPage && (
        <footer>
          <span className="num">{all.length} shown</span>
          <span className="end">
            <Button small working={ended.isFetchingNextPage && "Loading…"} onClick={() => void ended.fetchNextPage()}>
              Show more
            </Button>
          </span>
        </footer>
      )}
    </section>
  );
}
