import { count } from "@/format/numbers";
import { hm } from "@/format/time";

const span = 15 * 60 * 1000; // ms that are looked at
const slack = 30 * 1000; // ms by which the first point may be late and the span still counts as whole

/**
 * How a count changed in the last 15 minutes, or since the first that is known of it: "+3 in 15 min", "0 to 2 in 15 min"
 * when it moved and came back, "steady since 14:02" shortly after the server started.
 */
export function changeWords(points: readonly { time: string; value: number }[], now: { time: string; value: number }): string {
  const end = new Date(now.time).getTime();
  const known = points.filter((p) => new Date(p.time).getTime() >= end - span);
  const first = known[0] ?? now;
  const begin = new Date(first.time).getTime();
  const whole = end - begin >= span - slack;
  const within = whole ? "in 15 min" : `since ${hm(new Date(begin))}`;
  const values = [...known.map((p) => p.value), now.value];
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (low === high) return whole ? "steady for 15 min" : `steady ${within}`;
  const gained = now.value - first.value;
  return gained === 0 ? `${count(low)} to ${count(high)} ${within}` : `${gained > 0 ? "+" : "−"}${count(Math.abs(gained))} ${within}`;
}
