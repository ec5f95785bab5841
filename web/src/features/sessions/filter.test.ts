import { expect, it } from "vitest";
import type { Session } from "@/api/types";
import { applyFilter, readFilter, writeFilter } from "./filter";

const session = (id: string, role: Session["role"], started: string, name = "match-day"): Session => ({
  id, role, name, node: "n", state: "live", protocol: "rtmp", peer: "203.0.113.9:1", agent: "VLC", vhost: "default", app: "live", started_at: started,
  duration_ms: 0, bytes_in: 0, bytes_out: 0, in_kbps: 0, out_kbps: 0, dropped_messages: 0, lag_ms: 0,
});

it("is read back as it was written", () => {
  const f = readFilter("show=ended&role=player&q=vlc");
  expect(readFilter(writeFilter(f))).toEqual(f);
  expect(writeFilter(readFilter(""))).toBe("");
  expect(readFilter("show=x&role=y")).toEqual(readFilter(""));
});

it("puts publishers first, then the longest", () => {
  const all = [session("b", "player", "2026-01-02"), session("a", "player", "2026-01-01"), session("p", "publisher", "2026-01-03")];
  expect(applyFilter(all, readFilter("")).map((s) => s.id)).toEqual(["p", "a", "b"]);
  expect(applyFilter(all, readFilter("role=player&q=match+203")).map((s) => s.id)).toEqual(["a", "b"]);
  expect(applyFilter(all, readFilter("q=nobody"))).toEqual([]);
});
