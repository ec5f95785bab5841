// A busy evening, typed by the API's own schema. Used by the tests of single screens only.
import type {
  APIKey, AuditEntry, Event, FeedStreamItem, IPRule, Key, Overview, OverviewPoint, Point, RefererRule, Refusal, Session, Stream, StreamLive, System, User, Vhost,
} from "@/api/types";

const now = Date.now();
export const ago = (s: number) => new Date(now - s * 1000).toISOString();

export const user: User = { id: "usr_1", email: "ingrid@example.com", name: "Ingrid Solheim", role: "admin", vhost_ids: [], enabled: true, created_at: ago(9e6), updated_at: ago(9e6), last_login_at: ago(4000), revision: 3 };
export const users: User[] = [user, { ...user, id: "usr_2", email: "per@example.com", name: "Per Aasen", role: "operator", vhost_ids: ["vh_sport"], last_login_at: ago(90_000), revision: 1 }];

const urls = (app: string, name: string) => ({
  rtmp_server: `rtmp://live.example.com/${app}`,
  rtmp_play: `rtmp://live.example.com/${app}/${name}`,
  http_flv: `https://live.example.com/${app}/${name}.flv`,
  ws_flv: `wss://live.example.com/${app}/${name}.flv`,
});

function stream(n: number, name: string, vhost: string, app: string, live?: Partial<StreamLive>): Stream {
  return {
    id: `st_${n}`, configured: true, vhost_id: `vh_${vhost}`, vhost, app, name, enabled: true, metadata: {}, urls: urls(app, encodeURIComponent(name)), waiting_players: 0,
    created_at: ago(n * 50_000), updated_at: ago(n * 40_000), revision: n,
    ...(live
      ? {
          live: {
            started_at: ago(6720), publisher: { session_id: `ses_pub_${n}`, peer: "203.0.113.40:51612", agent: "FMLE/3.0 (compatible; obs-studio/32.0.1; FMSc/1.0)" },
            video: { codec: "H.264", profile: "High", level: "4.2", width_px: 1920, height_px: 1080 }, audio: { codec: "AAC", profile: "LC", sample_rate_hz: 48_000, channels: 2 },
            in_kbps: 4500, out_kbps: 900_000, fps: 50, key_interval_ms: 2000, av_offset_ms: -20, av_drift_ms: 3, audio_drift_ms: 4, video_drift_ms: 1, jitter_ms: 6, timestamp_jumps: 0, bytes_in: 4.9e9, bytes_out: 4e11, players: 200, dropped_messages: 33, health: "good", findings: [], ...live,
          },
        }
      : {}),
  };
}

const stalling = { code: "stalling", severity: "bad" as const, text: "Stalling, 11 of 30 frames a second. The encoder’s uplink has dropped to 0.84 Mbit/s; it sent 2.1 before. Lower the bit rate or use a wired network." };
const slowKeys = { code: "key_interval_long", severity: "fair" as const, text: "Key frame every 9.8 s. New players wait up to 10 s for a picture. Set Keyframe Interval to 2 s in OBS → Settings → Output." };

export const streams: Stream[] = [
  stream(1, "match-day", "sport", "live", { in_kbps: 6020, out_kbps: 4_890_000, players: 812 }),
  stream(2, "lecture-101", "campus", "live", { in_kbps: 840, fps: 11, players: 42, started_at: ago(1080), health: "bad", findings: [stalling], video: { codec: "H.264", profile: "Main", level: "3.1", width_px: 1280, height_px: 720 } }),
  stream(3, "studio-b", "default", "live", { in_kbps: 4480, fps: 30, players: 131, key_interval_ms: 9800, started_at: ago(2460), health: "fair", findings: [slowKeys] }),
  stream(4, "keynote-main-hall", "events", "live", { in_kbps: 7240, fps: 60, players: 388, started_at: ago(2040), video: { codec: "H.265", width_px: 1920, height_px: 1080 } }),
  stream(5, "nest-box", "default", "cams", { in_kbps: 610, fps: 15, players: 341, started_at: ago(785_000), video: { codec: "H.264", width_px: 1280, height_px: 720 } }),
  stream(6, "town-hall-council-chamber-with-a-long-name", "campus", "live", { in_kbps: 3110, fps: 25, players: 97, started_at: ago(7860) }),
  stream(8, "rowing-finish", "sport", "live", { in_kbps: 0, fps: 0, players: 0, started_at: ago(6), key_interval_ms: 0 }),
  stream(9, "chapel", "campus", "live"),
  stream(10, "<img src=x onerror=alert(1)>\u202egpj", "default", "live"),
];
const radio = stream(7, "radio-2", "default", "radio", { in_kbps: 128, fps: 0, players: 22, started_at: ago(12_000), key_interval_ms: 0 });
delete radio.live?.video;
streams.push(radio);
const connecting = streams[6]?.live;
delete connecting?.video;
delete connecting?.audio;

const wave = (i: number, base: number, swing: number) => base + swing * (Math.sin(i / 7) * 0.5 + Math.sin(i / 3.1) * 0.3 + Math.sin(i * 1.7) * 0.2);

export const points: Point[] = Array.from({ length: 900 }, (_, i) => ({
  time: ago(900 - i), in_kbps: Math.round(wave(i, 6000, 450)), out_kbps: 4_890_000, fps: i === 300 ? 41 : 50, key_interval_ms: i === 634 ? 2600 : 2000, jump_ms: i === 634 ? 13_000 : 4, av_drift_ms: 3, jitter_ms: 6,
  drops: i > 800 && i % 17 === 0 ? 8 : 0, players: 812,
})).filter((_, i) => i < 620 || i > 633);

export const overview: Overview = { id: "overview", time: ago(0), streams: 8, publishers: 8, players: 2200, in_kbps: 38_840, out_kbps: 10_180_000, refusals: 1204, cpu_percent: 608, memory_bytes: 1.9 * 2 ** 30, database: "up", degraded: false };
export const overviewPoints: OverviewPoint[] = Array.from({ length: 180 }, (_, i) => ({
  time: ago(900 - i * 5), streams: i < 70 ? 7 : i < 120 ? 9 : 8, players: Math.round(2114 + i * 0.5 + wave(i, 0, 30)), in_kbps: Math.round(wave(i, 38_800, 1800)), out_kbps: Math.round(wave(i, 9_900_000, 500_000)),
  refusals: [12, 40, 41, 77, 110, 121, 122, 123, 124, 160].includes(i) ? 2 + (i % 5) : 0, cpu_percent: 600, memory_bytes: 1.9 * 2 ** 30,
}));

export const system: System = {
  id: "system", version: "1.4.0", go_version: "go1.27.3", node: "ams-1", started_at: ago(1_050_000), uptime_seconds: 1_050_000, server_time: ago(0), database: { engine: "postgres", state: "up", latency_ms: 2 },
  applied_revision: 1184, applied_at: ago(10_800), goroutines: 4411, memory_bytes: 1.9 * 2 ** 30, heap_bytes: 0.8 * 2 ** 30, cpu_percent: 608, cpus: 16, open_files: 2291, open_files_max: 20_000,
  listeners: [{ protocol: "rtmp", address: "[::]:1935" }, { protocol: "http", address: "127.0.0.1:8080" }],
  urls: { rtmp: ["rtmp://live.example.com"], http: "https://live.example.com", ws: "wss://live.example.com" }, degraded: false, degraded_reasons: [],
  totals: { bytes_in: 9.2e12, bytes_out: 4.1e14, sessions: 812_331, refusals: 1204 },
};

function session(n: number, role: Session["role"], part: Partial<Session>): Session {
  return {
    id: `ses_${n}`, node: "ams-1", state: "live", role, protocol: "rtmp", peer: "203.0.113.9:40112", agent: "VLC/3.0.20 LibVLC/3.0.20", vhost: "sport", app: "live", name: "match-day", started_at: ago(4320), duration_ms: 4_320_000,
    bytes_in: 3000, bytes_out: 3.2e9, in_kbps: 0, out_kbps: 6000, dropped_messages: 0, lag_ms: 400, video_codec: "H.264", audio_codec: "AAC", ...part,
  };
}

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36";
export const sessions: Session[] = [
  session(0, "publisher", { id: "ses_pub_1", peer: "203.0.113.40:51612", agent: "FMLE/3.0 (compatible; obs-studio/32.0.1; FMSc/1.0)", key_id: "key_1", in_kbps: 6020, bytes_in: 4.9e9, out_kbps: 0 }),
  session(1, "player", {}),
  session(2, "player", { protocol: "http-flv", peer: "198.51.100.23:1", agent: chrome, page_url: "https://sport.example.com/tv", started_at: ago(2280), lag_ms: 1100 }),
  session(3, "player", { protocol: "ws-flv", peer: "[2001:db8:40::1c]:1", agent: "Mozilla/5.0 (Macintosh) Version/19.0 Safari/605.1", page_url: "https://sport.example.com/tv", started_at: ago(1440), lag_ms: 1300, dropped_messages: 2 }),
  session(4, "player", { peer: "192.0.2.77:1", agent: "LNX 9,0,124,2 Lavf61.7.100", started_at: ago(1320), lag_ms: 200 }),
  session(5, "player", { protocol: "http-flv", peer: "198.51.100.140:1", agent: "Mozilla/5.0 Gecko/20100101 Firefox/148.0", page_url: "https://partner.example.net/", started_at: ago(540), lag_ms: 6800, dropped_messages: 31, out_kbps: 4100 }),
];
const endedReasons = ["kicked", "peer_closed", "unpublished", "slow", "refused_key"];
export const ended: Session[] = endedReasons.map((reason, i) =>
  session(100 + i, i % 2 === 0 ? "publisher" : "player", { state: "ended", ended_at: ago(i * 700 + 60), reason, duration_ms: i * 500_000 + 4000, ...(reason === "kicked" ? { detail: "wrong programme" } : {}) }),
);

function event(n: number, type: string, s: number, part: Partial<Event>): Event {
  return { id: `e.${n}`, seq: n, type, occurred_at: ago(s), vhost: "sport", app: "live", name: "match-day", peer: "203.0.113.40:51612", ...part };
}
export const events: Event[] = [
  event(1, "stream.published", 6720, { detail: "OBS Studio 32.0" }),
  event(2, "session.play_started", 4320, { peer: "203.0.113.9:1" }),
  event(3, "stream.unpublished", 400, { reason: "network" }),
  event(4, "stream.published", 387, {}),
  event(5, "stream.refused", 300, { name: "press-room", reason: "refused_key", detail: "The stream key is not known." }),
  event(6, "session.play_ended", 120, { peer: "198.51.100.7:1", reason: "slow" }),
  event(7, "stream.taken_over", 60, { name: "studio-b", vhost: "default" }),
  event(8, "stream.unpublished", 20, { name: "press-room", reason: "kicked", detail: "wrong programme" }),
];

export const refusals: Refusal[] = [
  { id: "ref_1", occurred_at: ago(50), action: "play", protocol: "http-flv", vhost: "sport", app: "live", name: "match-day", peer: "198.51.100.7:1", agent: chrome, reason: "refused_referer", detail: "Referer copycat.example is denied by rule 2.",
    checks: [
      { name: "vhost", result: "pass", detail: "By host name sport.example.com; it is enabled.", took_us: 2 }, { name: "ip", result: "pass", detail: "198.51.100.7 matches no deny rule for play.", took_us: 1 },
      { name: "referer", result: "fail", rule_id: "rr_2", detail: "Host copycat.example equals the pattern.", took_us: 1 }, { name: "credential", result: "not_reached", detail: "", took_us: 0 },
    ] },
  { id: "ref_2", occurred_at: ago(400), action: "publish", protocol: "rtmp", vhost: "campus", app: "live", name: "", peer: "198.51.100.61:1", agent: "Lavf", reason: "refused_key", detail: "The key expired on 1 March.", checks: [] },
];

export const vhosts: Vhost[] = ["default", "sport", "campus", "events"].map((name, i) => ({
  id: `vh_${name}`, name, hostnames: i === 0 ? [] : [`${name}.example.com`], enabled: true, publish_policy: "key_or_token", play_policy: "open", duplicate_policy: "takeover_same_key", referer_empty: "allow", referer_match: "label", ip_preset: "standard",
  bandwidth_check: { enabled: false, key_set: false, interval_ms: 30_000, limit_kbps: 1000 },
  media: { gop: true, queue_ms: 3000, merge_ms: 0, chunk_size_bytes: 60_000, publisher_idle_ms: 10_000, publisher_gap_ms: 10_000, play_wait_ms: 10_000, max_message_bytes: 8_388_608,
    merge_min_messages: 0, send_buffer_bytes: 0, tcp_nodelay: true, first_media_ms: 10_000, republish_ms: 180_000, profile: "modern", stream_identity: "name", timestamps: "full", atc: "auto",
    reduce_sequence_header: false, hevc_to_players: "auto", multitrack_to_players: "auto", strict_codecs: false }, created_at: ago(9e6), updated_at: ago(9e6), revision: 1,
}));
const rule = { note: "", vhost_id: "vh_default", scope: "play" as const, created_at: ago(9e5), updated_at: ago(9e5), revision: 1 };
export const refererRules: RefererRule[] = [
  { ...rule, id: "rr_1", position: 1, action: "allow", pattern: "sport.example.com", report_only: false },
  { ...rule, id: "rr_2", position: 2, action: "deny", pattern: "copycat.example", report_only: false },
  { ...rule, id: "rr_3", position: 3, action: "deny", pattern: "example.org", report_only: true },
];
export const ipRules: IPRule[] = [{ ...rule, id: "ip_1", position: 1, scope: "all", action: "deny", cidr: "192.0.2.128/25" }];

const key = { stream_id: "st_1", enabled: true, cidrs: [] as string[], live_session_ids: [] as string[], revision: 1 };
export const keys: Key[] = [
  { ...key, id: "key_1", label: "Gallery A", secret_last4: "q7Fd", created_at: ago(900), last_used_at: ago(387), last_used_from: "203.0.113.40:1", live_session_ids: ["ses_pub_1"], previous_secret_last4: "k3Va", previous_expires_at: ago(-3000) },
  { ...key, id: "key_2", label: "Gallery A, old", secret_last4: "b2Xk", created_at: ago(9e5), expires_at: ago(-2580), last_used_at: ago(3000) },
  { ...key, id: "key_3", label: "OB van, spare", secret_last4: "m0Rz", created_at: ago(80_000), cidrs: ["198.51.100.0/24"], expires_at: ago(-9e5) },
];
export const apiKeys: APIKey[] = [{ id: "ak_1", name: "backend", revision: 1, scopes: ["streams:read", "tokens:mint"], vhost_ids: [], cidrs: [], secret_last4: "b2Xk", created_at: ago(9e5), last_used_at: ago(40) }];
export const audit: AuditEntry[] = [
  { id: "aud_1", config_revision: 1184, occurred_at: ago(900), actor_kind: "user", actor_id: "usr_1", actor_name: "Ingrid Solheim", action: "key.rotate", target_id: "key_1", ip: "203.0.113.40", request_id: "req_1", before: { secret_last4: "b2Xk" }, after: { secret_last4: "q7Fd" } },
  { id: "aud_2", config_revision: 1, occurred_at: ago(9000), actor_kind: "setup", action: "user.create", target_id: "usr_1", ip: "203.0.113.40", after: { email: "ingrid@example.com", role: "admin" } },
];

/** What the topic of one stream carries. */
export const streamItems: FeedStreamItem[] = [
  ...(streams[0] ? [{ id: "stream", kind: "stream" as const, stream: streams[0] }] : []),
  ...points.map((point) => ({ id: `p${Date.parse(point.time) / 1000}`, kind: "point" as const, point })),
  ...sessions.map((s) => ({ id: s.id, kind: "session" as const, session: s })),
];
