import type { ReactNode } from "react";
import type { Overview, OverviewPoint } from "@/api/types";
import { slots, type Sample } from "@/charts/series";
import { bitrate, count } from "@/format/numbers";
import { Bitrate, Unit } from "@/ui/quantity";
import { Bars, Spark } from "@/ui/spark";
import { changeWords } from "./change";

interface FiguresProps {
  now: Overview;
  points: readonly OverviewPoint[];
  /** How many streams were created. */
  made: number;
}

/** The five numbers of the whole server, each with its last 15 minutes. */
export function Figures({ now, points, made }: FiguresProps) {
  const column = (of: (p: OverviewPoint) => number) => points.map(of);
  const change = changeWords(
    points.map((p) => ({ time: p.time, value: p.players })),
    { time: now.time, value: now.players },
  );
  const peak = (of: (p: OverviewPoint) => number, current: number) => `peak ${bitrate(Math.max(current, ...points.map(of))).value}`;
  const samples = points.map((p): Sample => ({ at: new Date(p.time).getTime() / 1000, value: p.refusals }));
  const refused = slots(samples, new Date(now.time).getTime() / 1000, 900, 30);
  const refusals = refused.reduce((a, b) => a + b, 0);
  return (
    <section className="panel kpis" aria-label="Now, with the last 15 minutes">
      <Figure name="Live streams" value={count(now.streams)} below={made > 0 ? `of ${count(Math.max(made, now.streams))} ${made === 1 ? "stream" : "streams"}` : "none made yet"}>
        <Spark values={column((p) => p.streams)} height={40} full={180} trend label="Live streams, last 15 minutes" />
      </Figure>
      <Figure name="Players" value={count(now.players)} below={change}>
        <Spark values={column((p) => p.players)} height={40} full={180} trend label="Players, last 15 minutes" />
      </Figure>
      <Figure name="In" value={<Bitrate kbps={now.in_kbps} />} below={peak((p) => p.in_kbps, now.in_kbps)}>
        <Spark values={column((p) => p.in_kbps)} height={40} full={180} trend label="Bit rate in, last 15 minutes" />
      </Figure>
      <Figure name="Out" value={<Bitrate kbps={now.out_kbps} />} below={peak((p) => p.out_kbps, now.out_kbps)}>
        <Spark values={column((p) => p.out_kbps)} height={40} full={180} trend label="Bit rate out, last 15 minutes" />
      </Figure>
      <Figure
        name="Refused"
        value={
          <>
            {count(refusals)}
            <Unit>in 15 min</Unit>
          </>
        }
        below={`${count(now.refusals)} since the start`}
      >
        <Bars values={refused} height={40} label="Refusals a half minute, last 15 minutes" />
      </Figure>
    </section>
  );
}

function Figure({ name, value, below, children }: { name: string; value: ReactNode; below: string; children: ReactNode }) {
  return (
    <div className="kpi">
      <span className="k">{name}</span>
      <span className="v">{value}</span>
      <span className="d">{below}</span>
      {children}
    </div>
  );
}
