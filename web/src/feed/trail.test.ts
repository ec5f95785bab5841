import { expect, it } from "vitest";
import type { Overview } from "@/api/types";
import { addToBuckets, trailOverview, type Bucket } from "./trail";

it("averages in buckets and forgets what is old", () => {
  let b: readonly Bucket[] = [];
  for (const [at, v] of [[0, 10], [14, 20], [15, 40]] as const) b = addToBuckets(b, at, v);
  expect(b).toEqual([{ at: 0, sum: 30, n: 2 }, { at: 15, sum: 40, n: 1 }]);
  expect(addToBuckets(b, 905, 1).map((x) => x.at)).toEqual([15, 900]);
});

const now = (s: number, refusals: number): Overview => ({
  id: "overview", time: new Date(s * 1000).toISOString(), streams: 1, publishers: 1, players: 2, in_kbps: 3, out_kbps: 4, refusals, cpu_percent: 5, memory_bytes: 6, database: "up", degraded: false,
});

it("takes a point every five seconds and counts refusals between them", () => {
  let t = trailOverview(undefined, now(0, 7));
  t = trailOverview(t, now(1, 8));
  t = trailOverview(t, now(5, 10));
  expect(t.points.map((p) => p.refusals)).toEqual([0, 3]);
  expect(trailOverview(t, now(906, 10)).points).toHaveLength(1);
});

it("does not count backwards after a restart", () => {
  const t = trailOverview(trailOverview(undefined, now(0, 7)), now(10, 1));
  expect(t.points.at(-1)?.refusals).toBe(0);
});
