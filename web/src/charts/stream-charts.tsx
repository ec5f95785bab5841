import { useMemo, useState } from "react";
import type { Point } from "@/api/types";
import { bitrate, bitrateTick, count, fps, plural, seconds } from "@/format/numbers";
import { duration, hms } from "@/format/time";
import { useNow } from "@/ui/now";
import { Panel } from "@/ui/panel";
import { Segmented } from "@/ui/segmented";
import { Bars } from "@/ui/spark";
import { Chart } from "./chart";
import { layOut, slots, type Sample } from "./series";

const spans = [
  { value: "60", label: "1 min" },
  { value: "300", label: "5 min" },
  { value: "900", label: "15 min" },
] as const;
type Span = (typeof spans)[number]["value"];

const frames = (v: number) => ({ value: fps(v), unit: "fps" });
const interval = (ms: number) => ({ value: seconds(ms), unit: "s" });
const frameTick = (v: number) => count(v);
const secondTick = (ms: number) => String(Math.round(ms / 100) / 10);

/** What comes in, a point a second: bit rate, frames, key-frame interval; jumps and skips as counts. */
export default function StreamCharts({ points }: { points: readonly Point[] }) {
  const [span, setSpan] = useState<Span>("900");
  const now = Math.floor(useNow().getTime() / 1000);
  const width = Number(span);
  const columns = useMemo(() => {
    const sorted = points.map((p) => ({ at: new Date(p.time).getTime() / 1000, p })).sort((a, b) => a.at - b.at);
    const pick = (of: (p: Point) => number): Sample[] => sorted.map((s) => ({ at: s.at, value: of(s.p) }));
    return { rate: pick((p) => p.in_kbps), fps: pick((p) => p.fps), key: pick((p) => p.key_interval_ms).filter((s) => s.value > 0), jump: pick((p) => p.jump_ms), drops: pick((p) => p.drops) };
  }, [points]);
  const rate = useMemo(() => layOut(columns.rate, now, width, 1), [columns, now, width]);
  const frameRate = useMemo(() => layOut(columns.fps, now, width, 1), [columns, now, width]);
  const key = useMemo(() => layOut(columns.key, now, width, 1), [columns, now, width]);
  const common = { span: width, now, sync: "stream" };
  return (
    <Panel title="What comes in" end={<Segmented small label="Time shown" value={span} onChange={setSpan} segments={spans} />}>
      <Chart {...common} title="Bit rate" data={rate} format={bitrate} tick={bitrateTick} lead />
      <Chart {...common} title="Frames" data={frameRate} format={frames} tick={frameTick} />
      <Chart {...common} title="Key-frame interval" data={key} format={interval} tick={secondTick} times />
      <Counts jumps={columns.jump} drops={columns.drops} now={now} span={width} />
    </Panel>
  );
}

const noticeable = 1000; // ms; a smaller step between two timestamps is no jump

function Counts({ jumps, drops, now, span }: { jumps: readonly Sample[]; drops: readonly Sample[]; now: number; span: number }) {
  const inside = jumps.filter((s) => s.at >= now - span && s.value >= noticeable);
  const largest = inside.reduce<Sample | null>((a, b) => (a && a.value >= b.value ? a : b), null);
  const skipped = slots(drops, now, span, 60);
  const total = skipped.reduce((a, b) => a + b, 0);
  return (
    <div className="halves lined">
      <div className="pad stack tight">
        <div className="row text-sm">
          <b className="strong grow">Timestamp jumps</b>
          <span className="num strong">{inside.length}</span>
        </div>
        <p className="text-xs text-ink-3">{largest ? `${seconds(largest.value)} s at ${hms(new Date(largest.at * 1000))}` : `None in ${duration(span)}`}</p>
        <Bars values={slots(inside.map((s) => ({ at: s.at, value: 1 })), now, span, 60)} label={plural(inside.length, "timestamp jump")} height={28} tone="warn" className="tall" />
      </div>
      <div className="pad stack tight">
        <div className="row text-sm">
          <b className="strong grow">Skipped for slow players</b>
          <span className="num strong">
            {count(total)}
            <span className="u">messages</span>
          </span>
        </div>
        <p className="text-xs text-ink-3">{total > 0 ? "Players that fell behind went on from a newer key frame" : "Every player keeps up"}</p>
        <Bars values={skipped} label={`${count(total)} messages skipped for slow players`} height={28} tone="warn" className="tall" />
      </div>
    </div>
  );
}
