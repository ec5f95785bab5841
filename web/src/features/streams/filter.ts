import type { Stream } from "@/api/types";
import { byHealthThenPlayers } from "./health";

export const shows = ["all", "live", "needs-you", "idle"] as const;
export type Show = (typeof shows)[number];
export const sorts = ["health", "players", "rate", "name", "newest"] as const;
export type Sort = (typeof sorts)[number];
export const views = ["tiles", "table"] as const;
export type View = (typeof views)[number];

/** What of the streams is shown. It lives in the address, so that it can be sent to somebody. */
export interface Filter {
  q: string;
  show: Show;
  vhost: string;
  sort: Sort;
  view: View;
}

const defaults: Filter = { q: "", show: "all", vhost: "", sort: "health", view: "tiles" };

function oneOf<T extends string>(values: readonly T[], raw: string | null, otherwise: T): T {
  return values.find((v) => v === raw) ?? otherwise;
}

/** Reads a filter from the address. What makes no sense is taken for the default. */
export function readFilter(search: string): Filter {
  const p = new URLSearchParams(search);
  return {
    q: p.get("q") ?? defaults.q,
    show: oneOf(shows, p.get("show"), defaults.show),
    vhost: p.get("vhost") ?? defaults.vhost,
    sort: oneOf(sorts, p.get("sort"), defaults.sort),
    view: oneOf(views, p.get("view"), defaults.view),
  };
}

/** Writes a filter for the address; what is the default is left out. */
export function writeFilter(f: Filter): string {
  const p = new URLSearchParams();
  for (const key of Object.keys(defaults) as (keyof Filter)[]) {
    if (f[key] !== defaults[key]) p.set(key, f[key]);
  }
  return p.toString();
}

export function needsYou(s: Stream): boolean {
  return Boolean(s.live && s.live.health !== "good");
}

function shown(s: Stream, show: Show): boolean {
  switch (show) {
    case "all":
      return true;
    case "live":
      return Boolean(s.live);
    case "needs-you":
      return needsYou(s);
    case "idle":
      return !s.live;
  }
}

const order: Record<Sort, (a: Stream, b: Stream) => number> = {
  health: byHealthThenPlayers,
  players: (a, b) => (b.live?.players ?? -1) - (a.live?.players ?? -1) || a.name.localeCompare(b.name),
  rate: (a, b) => (b.live?.in_kbps ?? -1) - (a.live?.in_kbps ?? -1) || a.name.localeCompare(b.name),
  name: (a, b) => a.name.localeCompare(b.name),
  newest: (a, b) => (b.created_at ?? "").localeCompare(a.created_at ?? "") || a.name.localeCompare(b.name),
};

/** Streams whose name, vhost, app, id or publisher has all the words looked for. */
export function matches(s: Stream, q: string): boolean {
  const text = `${s.name} ${s.vhost} ${s.app} ${s.id} ${s.external_id ?? ""} ${s.live?.publisher.peer ?? ""}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/[\s/]+/)
    .every((word) => text.includes(word));
}

export function applyFilter(streams: readonly Stream[], f: Filter): Stream[] {
  return streams.filter((s) => shown(s, f.show) && (f.vhost === "" || s.vhost === f.vhost) && matches(s, f.q)).sort(order[f.sort]);
}
