import { useState } from "react";
import { Link } from "wouter";
import type { Session, StreamLive } from "@/api/types";
import { useMay } from "@/app/session";
import { KickDialog, type Kickable } from "@/features/sessions/kick-dialog";
import { protocolName } from "@/features/sessions/words";
import { agentName, hostOnly, pageHost, plainText } from "@/format/hostile";
import { count, seconds } from "@/format/numbers";
import { Button } from "@/ui/button";
import { Empty } from "@/ui/empty";
import { State } from "@/ui/mark";
import { SelectMenu } from "@/ui/menu";
import { Since } from "@/ui/moment";
import { Panel } from "@/ui/panel";
import { Bitrate, Unit } from "@/ui/quantity";

type Order = "longest" | "newest" | "behind";
const orders: Record<Order, (a: Session, b: Session) => number> = {
  longest: (a, b) => a.started_at.localeCompare(b.started_at),
  newest: (a, b) => b.started_at.localeCompare(a.started_at),
  behind: (a, b) => b.lag_ms - a.lag_ms,
};
const late = 3000; // ms behind that an operator should see
const most = 25;

/** Who watches, with kick. */
export function PlayersPanel({ players, live, name }: { players: readonly Session[]; live: StreamLive | undefined; name: string }) {
  const [order, setOrder] = useState<Order>("longest");
  const [kicked, setKicked] = useState<Kickable | null>(null);
  const may = useMay("operator");
  const total = Math.max(live?.players ?? 0, players.length);
  const shown = [...players].sort(orders[order]).slice(0, most);
  const sort = (
    <SelectMenu
      small
      label="Sort"
      value={order}
      onChange={setOrder}
      options={[
        { value: "longest", label: "Longest" },
        { value: "newest", label: "Newest" },
        { value: "behind", label: "Furthest behind" },
      ]}
    />
  );
  return (
    <Panel
      title="Players"
      sub={count(total)}
      end={players.length > 1 && sort}
      className="o5"
      footer={
        total > shown.length && (
          <>
            <span className="num">
              {shown.length} of {count(total)}
            </span>
            <Link className="link end" href={`/sessions?role=player&q=${encodeURIComponent(name)}`}>
              Show all players
            </Link>
          </>
        )
      }
    >
      {shown.length === 0 ? (
        <Empty title="Nobody is watching">Send somebody the play address; it stands under Connect.</Empty>
      ) : (
        <div className="scroll">
          <table className="table list">
            <thead>
              <tr>
                <th>Address</th>
                <th>Player</th>
                <th>From page</th>
                <th className="r">Watching</th>
                <th className="r">Out</th>
                <th className="r">Behind</th>
                <th className="r">Skipped</th>
                <th className="act">
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((s) => (
                <Row key={s.id} session={s} onKick={may ? () => setKicked({ id: s.id, peer: s.peer, role: "player" }) : undefined} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <KickDialog target={kicked} onClose={() => setKicked(null)} />
    </Panel>
  );
}

function Row({ session, onKick }: { session: Session; onKick: (() => void) | undefined }) {
  const host = hostOnly(session.peer);
  const page = pageHost(session.page_url ?? "");
  return (
    <tr>
      <td className="mono s0">{host}</td>
      <td className="s1">
        <span className="two">
          <span className="nowrap">{agentName(session.agent) || "Unknown"}</span>
          <span>{protocolName(session.protocol)}</span>
        </span>
      </td>
      <td className="off-s">{page ? <span className="cut page">{plainText(page, 60)}</span> : <span className="ink-3">–</span>}</td>
      <td className="r" data-l="Watching">
        <Since at={session.started_at} />
      </td>
      <td className="r off-s">
        <Bitrate kbps={session.out_kbps} />
      </td>
      <td className="r" data-l="Behind">
        {session.lag_ms >= late ? (
          <State tone="warn">{seconds(session.lag_ms)} s</State>
        ) : (
          <>
            {(session.lag_ms / 1000).toFixed(1)}
            <Unit>s</Unit>
          </>
        )}
      </td>
      <td className="r off-s">{count(session.dropped_messages)}</td>
      <td className="act">
        {onKick && (
          <Button small look="danger" className="row-acts" aria-label={`Kick ${host}`} onClick={onKick}>
            Kick
          </Button>
        )}
      </td>
    </tr>
  );
}
