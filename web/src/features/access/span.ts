import { duration } from "@/format/time";

/** "350 ms", "2.5 s", "5 min". */
export function span(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000 || ms % 60_000 !== 0) return `${ms / 1000} s`;
  return duration(ms / 1000);
}
