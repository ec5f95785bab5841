import type { Session } from "@/api/types";
import { useTopic } from "@/feed/use-topic";
import { hostOnly, plainText } from "@/format/hostile";
import { count, seconds } from "@/format/numbers";
import { Button } from "@/ui/button";
import { cx } from "@/ui/cx";
import { Empty } from "@/ui/empty";
import { State } from "@/ui/mark";
import { Since } from "@/ui/moment";
import { Bitrate, Bytes, Unit } from "@/ui/quantity";
import { Skeleton } from "@/ui/skeleton";
import { applyFilter, type Filter } from "./filter";
import type { Kickable } from "./kick-dialog";
import { PeerCell, RoleCell, StreamCell } from "./session-cells";

interface LiveProps {
  filter: Filter;
  open: string | null;
  onOpen: (id: string) => void;
  onKick: ((target: Kickable) => void) | undefined;
  onClear: () => void;
}

/** Who is connected now. */
export function LiveSessions({ filter, open, onOpen, onKick, onClear }: LiveProps) {
  const topic = useTopic("sessions");
  const shown = applyFilter(topic.items, filter);
  if (topic.pending) {
    return (
      <section className="panel">
        <Skeleton lines={6} />
      </section>
    );
  }
  return (
    <section className="panel" aria-label="Live sessions">
      {shown.length === 0 ? (
        topic.items.length === 0 ? (
          <Empty title="Nobody is connected">Publishers and players stand here while they are connected. Those that left are under Ended.</Empty>
        ) : (
          <Empty title={`No session matches “${plainText(filter.q, 60)}”`} acts={<Button onClick={onClear}>Clear filters</Button>}>
            Looked in streams, addresses, agents and pages.
          </Empty>
        )
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>Stream</th>
                <th>Role</th>
                <th>Peer</th>
                <th className="r">Rate</th>
                <th className="r">Volume</th>
                <th className="r">Behind</th>
                <th className="r">Skipped</th>
                <th className="r">Connected</th>
                <th className="act">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((s) => (
                <Row key={s.id} session={s} chosen={s.id === open} onOpen={() => onOpen(s.id)} onKick={onKick && (() => onKick({ id: s.id, peer: s.peer, role: s.role }))} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {topic.total > topic.items.length && (
        <footer>
          <span className="num">
            {count(topic.items.length)} of {count(topic.total)}. Open a stream to see all of its players.
          </span>
        </footer>
      )}
    </section>
  );
}

function Row({ session, chosen, onOpen, onKick }: { session: Session; chosen: boolean; onOpen: () => void; onKick: (() => void) | undefined }) {
  const publisher = session.role === "publisher";
  return (
    <tr className={cx(chosen && "is-on")}>
      <td className="name s0">
        <StreamCell session={session} onOpen={onOpen} />
      </td>
      <td className="s1">
        <RoleCell session={session} />
      </td>
      <td className="full">
        <PeerCell session={session} />
      </td>
      <td className="r" data-l="Rate">
        <Bitrate kbps={publisher ? session.in_kbps : session.out_kbps} />
      </td>
      <td className="r off-s">
        <Bytes n={publisher ? session.bytes_in : session.bytes_out} />
      </td>
      <td className="r off-s">
        {publisher ? (
          <span className="ink-3">–</span>
        ) : session.lag_ms >= 3000 ? (
          <State tone="warn">{seconds(session.lag_ms)} s</State>
        ) : (
          <>
            {(session.lag_ms / 1000).toFixed(1)}
            <Unit>s</Unit>
          </>
        )}
      </td>
      <td className="r off-s">{publisher ? <span className="ink-3">–</span> : count(session.dropped_messages)}</td>
      <td className="r" data-l="For">
        <Since at={session.started_at} />
      </td>
      <td className="act">
        {onKick && (
          <Button small look="danger" className="row-acts" aria-label={`Kick ${hostOnly(session.peer)}`} onClick={onKick}>
            Kick
          </Button>
        )}
      </td>
    </tr>
  );
}
