import { Link } from "wouter";
import type { Stream } from "@/api/types";
import { plainText } from "@/format/hostile";
import { count, fps, pictureName } from "@/format/numbers";
import { useInView } from "@/ui/in-view";
import { State } from "@/ui/mark";
import { Since } from "@/ui/moment";
import { Bitrate } from "@/ui/quantity";
import { Spark } from "@/ui/spark";
import { healthOf, shortFinding } from "./health";
import { useRateHistory } from "./rate-history";

/** Streams as rows; the brief form is for a narrower place. */
export function StreamTable({ streams, brief = false }: { streams: readonly Stream[]; brief?: boolean }) {
  return (
    <div className="scroll">
      <table className={brief ? "table list brief" : "table list"}>
        <thead>
          <tr>
            <th>Stream</th>
            <th>Health</th>
            <th className="r">Players</th>
            <th className="r">In</th>
            <th className="hide-s">15 min</th>
            {!brief && (
              <>
                <th className="r hide-s">Picture</th>
                <th className="r hide-s">Frames</th>
              </>
            )}
            <th className="r">Live for</th>
          </tr>
        </thead>
        <tbody>
          {streams.map((s) => (
            <Row key={s.id} stream={s} brief={brief} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ stream, brief }: { stream: Stream; brief: boolean }) {
  const [ref, seen] = useInView<HTMLTableRowElement>();
  const rates = useRateHistory(stream, seen);
  const health = healthOf(stream);
  const { live } = stream;
  const name = plainText(stream.name, 80);
  const finding = (live && shortFinding(stream)) || health.word;
  const video = live?.video ? { codec: live.video.codec, width: live.video.width_px, height: live.video.height_px } : null;
  return (
    <tr ref={ref}>
      <td className="name s0">
        <Link className="row" href={`/streams/${stream.id}`}>
          <b className="cut" title={name}>
            {name}
          </b>
          <span className="ink-3 xs nowrap">{plainText(stream.vhost, 24)}</span>
        </Link>
      </td>
      <td className="s1">
        <State tone={health.tone}>
          <span className="cut" title={finding}>
            {finding}
          </span>
        </State>
      </td>
      <td className="r" data-l="Players">
        {live ? count(live.players) : stream.waiting_players > 0 ? `${count(stream.waiting_players)} waiting` : <span className="ink-3">–</span>}
      </td>
      <td className="r" data-l="In">
        <Bitrate kbps={live?.in_kbps} />
      </td>
      <td className="hide-s">
        <Spark values={rates} full={60} tone={health.tone} label={`${name}, bit rate, last 15 minutes`} />
      </td>
      {!brief && (
        <>
          <td className="r hide-s">{live ? pictureName(video, 0) : <span className="ink-3">–</span>}</td>
          <td className="r hide-s">{live && live.fps > 0 ? fps(live.fps) : <span className="ink-3">–</span>}</td>
        </>
      )}
      <td className="r" data-l="Live for">
        <Since at={live?.started_at} />
      </td>
    </tr>
  );
}
