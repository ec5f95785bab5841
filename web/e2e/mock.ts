import type { Page, Route } from "playwright-core";
import * as fx from "./fixtures";

export interface MockOptions {
  /** Nobody is signed in. */
  signedOut?: boolean;
  /** Nothing has been made yet. */
  empty?: boolean;
  /** The live feed cannot be opened. */
  feedDown?: boolean;
  /** The first user is missing. */
  setupNeeded?: boolean;
}

function json(route: Route, body: unknown, status = 200): Promise<void> {
  return route.fulfill({ status, contentType: status < 400 ? "application/json" : "application/problem+json", body: JSON.stringify(body) });
}

/** The feed knows no request, and so no addresses. */
function fed<T extends { urls?: unknown }>(thing: T): T {
  const rest = { ...thing };
  delete rest.urls;
  return rest;
}

const page = <T>(items: readonly T[]) => ({ items });

/** Answers for the backend, so that a screen can be looked at alone. */
export async function mock(tab: Page, options: MockOptions = {}): Promise<void> {
  const all = <T>(items: readonly T[]) => (options.empty ? [] : items);
  const grant = { access_token: "t", token_type: "Bearer", expires_in_seconds: 600, user: fx.user };
  const gets: [RegExp, () => unknown][] = [
    [/\/setup$/, () => ({ needed: options.setupNeeded ?? false })],
    [/\/streams$/, () => page(all(fx.streams))],
    [/\/streams\/st_\d+\/history$/, () => ({ items: fx.points })],
    [/\/streams\/st_\d+\/keys$/, () => page(fx.keys)],
    [/\/streams\/st_\d+$/, () => fx.streams[0]],
    [/\/vhosts$/, () => page(fx.vhosts)],
    [/\/referer-rules$/, () => page(all(fx.refererRules))],
    [/\/ip-rules$/, () => page(all(fx.ipRules))],
    [/\/system$/, () => fx.system],
    [/\/overview$/, () => ({ now: fx.overview, step_ms: 5000, items: all(fx.overviewPoints) })],
    [/\/sessions$/, () => page(all(fx.ended))],
    [/\/users$/, () => page(fx.users)],
    [/\/api-keys$/, () => page(all(fx.apiKeys))],
    [/\/audit$/, () => page(all(fx.audit))],
  ];
  await tab.route("**/api/v1/**", (route) => {
    const url = new URL(route.request().url());
    const path = url.pathname;
    if (path.endsWith("/auth/refresh")) return options.signedOut || options.setupNeeded ? json(route, { title: "Not signed in", status: 401, code: "unauthorized" }, 401) : json(route, grant);
    if (path.endsWith("/setup") && route.request().method() === "POST") return json(route, grant, 201);
    if (path.endsWith("/auth/login")) return json(route, { title: "No", status: 401, code: "unauthorized", detail: "E-mail and password do not match." }, 401);
    if (path.endsWith("/feed-tickets") && options.feedDown) return json(route, { title: "Away", status: 503, code: "unavailable" }, 503);
    if (path.endsWith("/feed-tickets")) return json(route, { ticket: "t", expires_in_seconds: 30, url: "/api/v1/feed?ticket=t" }, 201);
    if (path.endsWith("/access:explain")) return json(route, { allow: false, reason: "refused_referer", detail: fx.refusals[0]?.detail, checks: fx.refusals[0]?.checks });
    if (path.endsWith("/streams") && route.request().method() === "POST") return json(route, { ...fx.streams[7], name: "first-stream" }, 201);
    if (path.endsWith("/keys") && route.request().method() === "POST")
      return json(route, { key: fx.keys[0], secret: "sk_4hT9vQm2Xc8LwRb6Zs1NpE7uKd3Yq7Fd", urls: fx.streams[0]?.urls }, 201);
    for (const [pattern, body] of gets) if (pattern.test(path)) return json(route, body());
    return json(route, { title: "Not found", status: 404, code: "not_found" }, 404);
  });
  const topics: Record<string, readonly { id: string }[]> = {
    overview: [options.empty ? { ...fx.overview, streams: 0, publishers: 0, players: 0, in_kbps: 0, out_kbps: 0, refusals: 0 } : fx.overview],
    streams: all(fx.streams.filter((s) => s.live)).map(fed), sessions: all(fx.sessions), events: all(fx.events), refusals: all(fx.refusals), system: [fed(fx.system)],
    "stream:st_1": fx.streamItems.map((i) => (i.stream ? { ...i, stream: fed(i.stream) } : i)),
  };
  await tab.routeWebSocket("**/api/v1/feed**", (ws) => {
    const say = (message: unknown) => ws.send(JSON.stringify(message));
    say({ type: "hello", epoch: "e", server_time: fx.ago(0), tick_ms: 1000, topics: Object.keys(topics) });
    ws.onMessage((raw) => {
      const { type, topic } = JSON.parse(String(raw)) as { type: string; topic: string };
      const items = topics[topic];
      if (type === "sub" && items) say({ type: "snap", topic, epoch: "e", seq: 1, items, total: items.length });
    });
  });
}
