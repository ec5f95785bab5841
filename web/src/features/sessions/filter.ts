import type { Session } from "@/api/types";

export const shows = ["live", "ended", "events"] as const;
export type Show = (typeof shows)[number];
export const roles = ["", "publisher", "player"] as const;
export type RoleFilter = (typeof roles)[number];

/** Which sessions are shown. It lives in the address. */
export interface Filter {
  show: Show;
  role: RoleFilter;
  q: string;
}

export function readFilter(search: string): Filter {
  const p = new URLSearchParams(search);
  return {
    show: shows.find((s) => s === p.get("show")) ?? "live",
    role: roles.find((r) => r === p.get("role")) ?? "",
    q: p.get("q") ?? "",
  };
}

export function writeFilter(f: Filter): string {
  const p = new URLSearchParams();
  if (f.show !== "live") p.set("show", f.show);
  if (f.role) p.set("role", f.role);
  if (f.q) p.set("q", f.q);
  return p.toString();
}

/** Sessions whose stream, address, agent or id has all the words looked for; publishers first, then the longest. */
export function applyFilter(sessions: readonly Session[], f: Filter): Session[] {
  const words = f.q.toLowerCase().split(/[\s/]+/);
  return sessions
    .filter((s) => {
      if (f.role && s.role !== f.role) return false;
      const text = `${s.vhost} ${s.app} ${s.name} ${s.peer} ${s.agent} ${s.id} ${s.protocol} ${s.page_url ?? ""}`.toLowerCase();
      return words.every((w) => text.includes(w));
    })
    .sort((a, b) => Number(b.role === "publisher") - Number(a.role === "publisher") || a.started_at.localeCompare(b.started_at));
}
