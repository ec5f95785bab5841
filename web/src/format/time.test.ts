import { expect, it } from "vitest";
import { clock, duration, relative, shortDuration } from "./time";

it.each([
  [34, "34 s", "34s"],
  [720, "12 min", "12m"],
  [6720, "1 h 52 min", "1h 52m"],
  [21_780, "6 h 03 min", "6h 03m"],
  [3600, "1 h", "1h"],
  [12 * 86_400 + 4 * 3600, "12 d 4 h", "12d 4h"],
])("%d s", (s, long, short) => {
  expect(duration(s)).toBe(long);
  expect(shortDuration(s)).toBe(short);
});

it("runs a clock", () => {
  expect(clock(24)).toBe("0:24");
  expect(clock(725)).toBe("12:05");
  expect(clock(3729)).toBe("1:02:09");
});

it("says how long ago", () => {
  const now = new Date(2026, 2, 14, 14, 17, 8);
  const ago = (s: number) => relative(new Date(now.getTime() - s * 1000), now);
  expect(ago(1)).toBe("just now");
  expect(ago(130)).toBe("2 min ago");
  expect(ago(7300)).toBe("2 h ago");
  expect(ago(13 * 3600)).toBe("today, 01:17");
  expect(ago(26 * 3600)).toBe("yesterday, 12:17");
  expect(ago(10 * 86_400)).toBe("4 Mar, 14:17");
  expect(ago(-43 * 60)).toBe("in 43 min");
});
