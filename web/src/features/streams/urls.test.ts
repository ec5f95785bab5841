import { expect, it } from "vitest";
import { playPath, reachable } from "./urls";

it.each([
  ["rtmp://0.0.0.0:1935/live", "rtmp://live.example.com:1935/live"],
  ["rtmp://[::]/live", "rtmp://live.example.com/live"],
  ["rtmp://media.example.net/live", "rtmp://media.example.net/live"],
  ["rtmp://:1935/live", "rtmp://live.example.com:1935/live"],
])("%s", (raw, want) => expect(reachable(raw, "live.example.com")).toBe(want));

it("brackets an IPv6 host", () => {
  expect(reachable("rtmp://[::]:1935/live", "2001:db8::1")).toBe("rtmp://[2001:db8::1]:1935/live");
});

it("builds a play path out of hostile names", () => {
  expect(playPath({ vhost: "default", app: "live", name: "match-day" })).toBe("/live/match-day.flv");
  expect(playPath({ vhost: "sport", app: "a/b", name: "x?y#z/.." })).toBe("/a/b/x%3Fy%23z%2F...flv?vhost=sport");
});
