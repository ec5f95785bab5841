import type { Overview, OverviewPoint, Stream } from "@/api/types";

// The feed carries the present. What it said in the last 15 minutes is kept beside it, for the sparklines of things
// whose history would be too much to ask for.

export const trailSpan = 15 * 60; // seconds
/** Seconds that are averaged into one point of a rate's trail. */
export const bucket = 15;
const overviewStep = 5;

/** An average in the making. */
export interface Bucket {
  /** Unix seconds of its beginning. */
  at: number;
  sum: number;
  n: number;
}

export type RateTrail = ReadonlyMap<string, readonly Bucket[]>;

/** Adds a value to the newest bucket, or begins the next one. */
export function addToBuckets(buckets: readonly Bucket[], at: number, value: number): readonly Bucket[] {
  const start = Math.floor(at / bucket) * bucket;
  const last = buckets.at(-1);
  if (last?.at === start) return [...buckets.slice(0, -1), { at: start, sum: last.sum + value, n: last.n + 1 }];
  return [...buckets.filter((b) => b.at > start - trailSpan), { at: start, sum: value, n: 1 }];
}

/** The bit rate of every live stream, carried on by one tick. What is not live any more is forgotten. */
export function trailRates(trail: RateTrail | undefined, streams: Iterable<Stream>, at: number): RateTrail {
  const next = new Map<string, readonly Bucket[]>();
  for (const s of streams) {
    if (s.live) next.set(s.id, addToBuckets(trail?.get(s.id) ?? [], at, s.live.in_kbps));
  }
  return next;
}

export interface OverviewTrail {
  points: readonly OverviewPoint[];
  /** The refusals since the server's start at the last point; the points have the difference. */
  refusals: number;
}

/** The overview, carried on by one point every five seconds. */
export function trailOverview(trail: OverviewTrail | undefined, now: Overview): OverviewTrail {
  const last = trail?.points.at(-1);
  if (last && seconds(now.time) - seconds(last.time) < overviewStep) return trail ?? { points: [], refusals: 0 };
  const { time, streams, players, in_kbps, out_kbps, cpu_percent, memory_bytes } = now;
  const refusals = trail ? Math.max(0, now.refusals - trail.refusals) : 0;
  const kept = (trail?.points ?? []).filter((p) => seconds(p.time) > seconds(time) - trailSpan);
  return { points: [...kept, { time, streams, players, in_kbps, out_kbps, cpu_percent, memory_bytes, refusals }], refusals: now.refusals };
}

function seconds(time: string): number {
  return new Date(time).getTime() / 1000;
}
