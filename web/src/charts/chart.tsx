import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "@/app/theme";
import { hm, hms } from "@/format/time";
import { unknown, type Quantity as Value } from "@/format/numbers";
import { Unit } from "@/ui/quantity";
import { drawGaps, readColors } from "./paint";
import { axisTop, range, type Plotted } from "./series";

export interface ChartProps {
  title: string;
  data: Plotted;
  /** Seconds shown, up to now. */
  span: number;
  now: number;
  /** A value with its unit, as it stands in the head and at the crosshair. */
  format: (value: number) => Value;
  /** A value on the axis, without its unit; the axis ends at top. */
  tick: (value: number, top: number) => string;
  /** Charts with the same key share the crosshair. */
  sync: string;
  /** Times below. Charts above each other show them once, at the foot. */
  times?: boolean;
  /** The moment at the crosshair and a gap's length in words. Shown once, in the top chart. */
  lead?: boolean;
  height?: number;
}

/** A value over time: 1 px line from zero, the present in the head, one crosshair for all charts of a thing. */
export function Chart({ title, data, span, now, format, tick, sync, times = false, lead = false, height = 104 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ data, span, now, format, tick });
  const { dark } = useTheme();

  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const made = new uPlot(options(host.clientWidth, { height, sync, times, lead, latest, tip }), [[], []], host);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: host.clientWidth, height: height + (times ? 24 : 16) }));
    resize.observe(host);
    show(made, latest.current);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [dark, height, lead, sync, times]);

  useEffect(() => {
    latest.current = { data, span, now, format, tick };
    if (plot.current) show(plot.current, latest.current);
  }, [data, span, now, format, tick]);

  const ends = range(data.values);
  const last = data.values.at(-1);
  const present = typeof last === "number" && now - (data.times.at(-1) ?? 0) < 5 ? format(last) : null;
  const between = ends ? spread(format(ends[0]), format(ends[1])) : "";
  const spoken = ends ? `${title} over ${Math.round(span / 60) || 1} minutes, ${between || format(ends[1]).value} ${format(ends[1]).unit}` : `${title}, nothing yet`;
  return (
    <div className="chart">
      <div className="chart-head">
        <b>{title}</b>
        {between && <span className="range">{between}</span>}
        <span className="now">
          {present ? (
            <>
              {present.value}
              <Unit>{present.unit}</Unit>
            </>
          ) : (
            unknown
          )}
        </span>
      </div>
      <div className="uplot-box" ref={box} role="img" aria-label={spoken} />
      <div className="uplot-tip" ref={tip} hidden />
    </div>
  );
}

/** "5.5 to 6.9"; nothing where both are the same. */
function spread(low: Value, high: Value): string {
  if (low.value === high.value && low.unit === high.unit) return "";
  return low.unit === high.unit ? `${low.value} to ${high.value}` : `${low.value} ${low.unit} to ${high.value} ${high.unit}`;
}

type Latest = Pick<ChartProps, "data" | "span" | "now" | "format" | "tick">;

function show(plot: uPlot, { data, span, now }: Latest): void {
  plot.batch(() => {
    plot.setData([data.times, data.values], false);
    plot.setScale("x", { min: now - span, max: now });
    const { top } = axisTop(range(data.values)?.[1] ?? 0);
    plot.setScale("y", { min: 0, max: top });
  });
}

interface Parts {
  sync: string;
  times: boolean;
  lead: boolean;
  height: number;
  latest: { current: Latest };
  tip: { current: HTMLDivElement | null };
}

function options(width: number, { height, sync, times, lead, latest, tip }: Parts): uPlot.Options {
  const colors = readColors();
  const font = `11px ${colors.font}`;
  return {
    width,
    height: height + (times ? 24 : 16),
    padding: [lead ? 14 : 8, 0, times ? 0 : 8, 0],
    legend: { show: false },
    scales: { x: { time: true, auto: false }, y: { auto: false } },
    cursor: {
      sync: { key: sync },
      drag: { x: false, y: false },
      y: false,
      points: { size: 7, width: 2, stroke: colors.panel, fill: colors.line },
    },
    axes: [
      {
        show: times,
        stroke: colors.axis,
        font,
        size: 24,
        gap: 8,
        space: 90,
        ticks: { show: false },
        grid: { show: false },
        values: (_, splits) => splits.map((t) => hm(new Date(t * 1000))),
      },
      {
        stroke: colors.axis,
        font,
        size: 38,
        gap: 8,
        ticks: { show: false },
        grid: { stroke: colors.grid, width: 1 },
        splits: () => {
          const { top, step } = axisTop(range(latest.current.data.values)?.[1] ?? 0);
          return Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);
        },
        values: (_, splits) => splits.map((v) => latest.current.tick(v, splits.at(-1) ?? v)),
      },
    ],
    series: [{}, { stroke: colors.line, width: 1, fill: colors.fill, points: { show: false }, spanGaps: false }],
    hooks: {
      draw: [(u) => drawGaps(u, latest.current.data.gaps, colors, lead)],
      setCursor: [(u) => placeTip(u, tip.current, latest.current.format, lead)],
    },
  };
}

function placeTip(u: uPlot, tip: HTMLDivElement | null, format: ChartProps["format"], lead: boolean): void {
  if (!tip) return;
  const i = u.cursor.idx;
  const left = u.cursor.left ?? -1;
  const time = i === null || i === undefined ? undefined : u.data[0][i];
  const value = i === null || i === undefined ? undefined : u.data[1]?.[i];
  if (left < 0 || time === undefined || typeof value !== "number") {
    tip.hidden = true;
    return;
  }
  tip.hidden = false;
  const shown = format(value);
  tip.replaceChildren();
  if (lead) {
    const t = document.createElement("span");
    t.className = "t";
    t.textContent = hms(new Date(time * 1000));
    tip.append(t);
  }
  const unit = document.createElement("span");
  unit.className = "u";
  unit.textContent = shown.unit;
  tip.append(shown.value, unit);
  const right = left > u.over.clientWidth * 0.6;
  const x = u.over.offsetLeft + left;
  tip.style.left = right ? "" : `${x + 12}px`;
  tip.style.right = right ? `${u.width - x + 12}px` : "";
}
