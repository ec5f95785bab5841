import type uPlot from "uplot";
import type { Quantity } from "@/format/numbers";
import { hm, hms } from "@/format/time";
import { drawGaps, readColors } from "./paint";
import { axisTop, range, type Plotted } from "./series";

/** What a plot shows now; it changes every second without the plot being made anew. */
export interface Latest {
  data: Plotted;
  /** Seconds shown, up to now. */
  span: number;
  now: number;
  format: (value: number) => Quantity;
  tick: (value: number, top: number) => string;
}

/** Puts the latest data into a plot. */
export function show(plot: uPlot, { data, span, now }: Latest): void {
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

/** How a plot looks and behaves. */
export function options(width: number, { height, sync, times, lead, latest, tip }: Parts): uPlot.Options {
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

function placeTip(u: uPlot, tip: HTMLDivElement | null, format: Latest["format"], lead: boolean): void {
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
