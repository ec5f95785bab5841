import type { ReactNode } from "react";
import type { Stream } from "@/api/types";
import { count, fps, seconds, unknown } from "@/format/numbers";
import { Since } from "@/ui/moment";
import { Bitrate, Unit } from "@/ui/quantity";

/** The six numbers one asks for first. */
export function Stats({ stream }: { stream: Stream }) {
  const { live } = stream;
  const none = <span className="ink-3">{unknown}</span>;
  const rows: [string, ReactNode][] = [
    ["Live for", <Since key="s" at={live?.started_at} />],
    ["Players", live ? count(live.players) : stream.waiting_players > 0 ? `${count(stream.waiting_players)} waiting` : "0"],
    ["In", <Bitrate key="i" kbps={live?.in_kbps} />],
    ["Out", <Bitrate key="o" kbps={live?.out_kbps} />],
    ["Frames", live && live.fps > 0 ? <>{fps(live.fps)}<Unit>fps</Unit></> : none],
    ["Key frame every", live && live.key_interval_ms > 0 ? <>{seconds(live.key_interval_ms)}<Unit>s</Unit></> : none],
  ];
  return (
    <dl className="panel stats">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
