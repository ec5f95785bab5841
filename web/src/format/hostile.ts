// Stream names, agents and page addresses come from strangers. React escapes markup; what is left are
// characters that reorder or hide text. They are shown as what they are.

// eslint-disable-next-line no-control-regex -- these are exactly the characters that must not reach the screen
const invisible = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Text of a stranger, with control and direction characters made visible and its length bounded. */
export function plainText(raw: string, max = 256): string {
  const visible = raw.replace(invisible, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
  return visible.length > max ? `${visible.slice(0, max)}…` : visible;
}

/** A sentence of the server, which writes them in small letters, as it stands on a screen. */
export function sentenceText(raw: string, max?: number): string {
  const text = plainText(raw, max);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The host of a page's address, or nothing when it is not an address. Never used as a link. */
export function pageHost(raw: string): string {
  try {
    const url = new URL(raw);
    return url.protocol === "http:" || url.protocol === "https:" ? url.host : "";
  } catch {
    return "";
  }
}

/** An address without its port: "203.0.113.40:51234" → "203.0.113.40", "[2001:db8::1]:443" → "2001:db8::1". */
export function hostOnly(peer: string): string {
  const bracketed = /^\[(.+)\](?::\d+)?$/.exec(peer);
  if (bracketed?.[1]) return bracketed[1];
  return peer.split(":").length === 2 ? (peer.split(":")[0] ?? peer) : peer;
}

/** What a peer calls itself, shortened to a name a person knows: "OBS Studio 32.0", "FFmpeg 61.7", "Chrome 145". */
export function agentName(raw: string): string {
  const agent = plainText(raw, 120);
  const obs = /(?:obs-output module|OBS)[^\d]*([\d.]+)?/i.exec(agent);
  if (obs && /obs/i.test(agent)) return obs[1] ? `OBS Studio ${obs[1]}` : "OBS Studio";
  const lavf = /Lavf\/?([\d.]+)?/.exec(agent);
  if (lavf) return lavf[1] ? `FFmpeg (${lavf[1].split(".").slice(0, 2).join(".")})` : "FFmpeg";
  const fmle = /^FMLE\/[\d.]+ \(compatible; ([^)]+)\)/.exec(agent);
  if (fmle?.[1]) return agentName(fmle[1]);
  for (const [name, pattern] of browsers) {
    const found = pattern.exec(agent);
    if (found) return found[1] ? `${name} ${found[1]}` : name;
  }
  return agent;
}

const browsers: readonly (readonly [string, RegExp])[] = [
  ["Edge", /Edg\/(\d+)/],
  ["Opera", /OPR\/(\d+)/],
  ["Chrome", /HeadlessChrome\/(\d+)/],
  ["Chrome", /Chrome\/(\d+)/],
  ["Firefox", /Firefox\/(\d+)/],
  ["Safari", /Version\/(\d+)[\d.]* .*Safari/],
  ["VLC", /VLC\/([\d.]+)/],
  ["curl", /^curl\/([\d.]+)/],
  ["librtmp", /librtmp ?([\d.]+)?/i],
  ["GStreamer", /GStreamer[/ ]?([\d.]+)?/],
];
