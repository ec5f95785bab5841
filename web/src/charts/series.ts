/** A moment of a chart: Unix seconds and a value. */
export interface Sample {
  at: number;
  value: number;
}

/** Columns as uPlot takes them, and the stretches without data. */
export interface Plotted {
  times: number[];
  values: (number | null)[];
  gaps: { from: number; to: number }[];
}

/**
 * Lays samples out over the last seconds up to now. Where more than three steps are missing there is a
 * gap, and a gap is not bridged by the line.
 */
export function layOut(samples: readonly Sample[], now: number, span: number, step: number): Plotted {
  const out: Plotted = { times: [], values: [], gaps: [] };
  const from = now - span;
  let last: number | undefined;
  for (const s of samples) {
    if (s.at < from) {
      last = s.at;
      continue;
    }
    if (last !== undefined && s.at - last > step * 3) {
      const start = Math.max(last, from);
      out.gaps.push({ from: start, to: s.at });
      out.times.push(start + step / 2);
      out.values.push(null);
    }
    out.times.push(s.at);
    out.values.push(s.value);
    last = s.at;
  }
  if (last !== undefined && last >= from && now - last > step * 4) out.gaps.push({ from: last, to: now });
  return out;
}

/** The smallest and the largest value that is there. */
export function range(values: readonly (number | null)[]): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v === null) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return high === -Infinity ? null : [low, high];
}

/** A round top for an axis that begins at zero, and the step between its lines (at most four). */
export function axisTop(high: number): { top: number; step: number } {
  if (!(high > 0)) return { top: 1, step: 1 };
  const rough = (high * 1.08) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 3, 4, 5, 10].find((m) => m * power >= rough) ?? 10) * power;
  return { top: Math.ceil((high * 1.02) / step) * step, step };
}

/** Adds samples up in equal slots, the newest last. For counts as bars. */
export function slots(samples: readonly Sample[], now: number, span: number, count: number): number[] {
  const out = new Array<number>(count).fill(0);
  for (const s of samples) {
    const i = Math.floor(((s.at - (now - span)) / span) * count);
    if (i >= 0 && i < count) out[i] = (out[i] ?? 0) + s.value;
  }
  return out;
}
