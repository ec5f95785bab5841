import { describe, expect, it } from "vitest";
import type { Stream } from "@/api/types";
import { applyFilter, readFilter, writeFilter } from "./filter";
import { mergeLive } from "./queries";

const urls = { rtmp_server: "", rtmp_play: "", http_flv: "", ws_flv: "" };

function stream(name: string, players?: number, health: "good" | "fair" | "bad" = "good"): Stream {
  const base: Stream = {
    id: `st_${name}`, configured: true, vhost: "default", app: "live", name, enabled: true, metadata: {}, urls, waiting_players: 0, revision: 1,
  };
  if (players === undefined) return base;
  return {
    ...base,
    live: {
      started_at: "2026-01-01T00:00:00Z", publisher: { session_id: "s", peer: "203.0.113.40:1", agent: "" }, in_kbps: 1, out_kbps: 1, fps: 25,
      key_interval_ms: 2000, av_offset_ms: 0, av_drift_ms: 0, audio_drift_ms: 0, video_drift_ms: 0, jitter_ms: 0, timestamp_jumps: 0, bytes_in: 0, bytes_out: 0, players, dropped_messages: 0, health, findings: [],
    },
  };
}

describe("the filter in the address", () => {
  it("is read back as it was written", () => {
    const f = readFilter("q=match+day&show=needs-you&vhost=sport&sort=name&view=table");
    expect(f).toEqual({ q: "match day", show: "needs-you", vhost: "sport", sort: "name", view: "table" });
    expect(readFilter(writeFilter(f))).toEqual(f);
  });

  it("leaves the defaults out and takes nonsense for them", () => {
    expect(writeFilter(readFilter(""))).toBe("");
    expect(readFilter("show=everything&sort=%00&view=3d")).toEqual(readFilter(""));
  });
});

describe("applyFilter", () => {
  const all = [stream("idle"), stream("calm", 5), stream("busy", 900), stream("stalling", 2, "bad"), stream("slow", 3, "fair")];
  const names = (search: string) => applyFilter(all, readFilter(search)).map((s) => s.name);

  it("puts what needs you first, then the busiest", () => expect(names("")).toEqual(["stalling", "slow", "busy", "calm", "idle"]));
  it("shows what is asked for", () => {
    expect(names("show=live")).not.toContain("idle");
    expect(names("show=needs-you")).toEqual(["stalling", "slow"]);
    expect(names("show=idle")).toEqual(["idle"]);
  });
  it("finds by several words and by address", () => {
    expect(names("q=live+bus")).toEqual(["busy"]);
    expect(names("q=203.0.113&show=needs-you")).toEqual(["stalling", "slow"]);
    expect(names("q=nothing")).toEqual([]);
  });
  it("sorts by name", () => expect(names("sort=name")).toEqual(["busy", "calm", "idle", "slow", "stalling"]));
});

describe("mergeLive", () => {
  it("lays live state over the list and adds what was never created", () => {
    const wild: Stream = { ...stream("wild", 1), id: "live_1", configured: false };
    const fed = stream("a", 7);
    delete fed.urls;
    const merged = mergeLive([stream("a"), stream("b", 4)], [fed, wild]);
    expect(merged[0]?.urls, "the feed has no addresses, the list has").toEqual(urls);
    expect(merged.map((s) => [s.name, s.live?.players])).toEqual([["a", 7], ["b", undefined], ["wild", 1]]);
  });

  it("forgets what only stood for something live", () => {
    const wild: Stream = { ...stream("wild", 1), id: "live_1", configured: false };
    expect(mergeLive([wild], [])).toEqual([]);
  });

  it("leaves the list alone until the feed has spoken", () => {
    expect(mergeLive([stream("b", 4)], null)[0]?.live?.players).toBe(4);
  });
});
