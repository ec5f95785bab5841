/** A number split from its unit, so that the unit can stand beside it, small and dim. */
export interface Quantity {
  value: string;
  unit: string;
}

/** What stands for a thing that is not known. Zero is "0". */
export const unknown = "–";

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 2214 → "2,214". */
export function count(n: number): string {
  return grouped.format(Math.round(n));
}

/** "1 player", "2 players". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

function decimals(n: number, digits: number): string {
  return n.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A bit rate: one decimal fewer than can be measured. 610 kbit/s, 6.02 Mbit/s, 38.8 Mbit/s, 10.18 Gbit/s. */
export function bitrate(kbps: number): Quantity {
  if (kbps < 1000) return { value: count(kbps), unit: "kbit/s" };
  const big = kbps >= 1_000_000;
  const n = kbps / (big ? 1_000_000 : 1000);
  return { value: decimals(n, n < 10 || big ? 2 : n < 100 ? 1 : 0), unit: big ? "Gbit/s" : "Mbit/s" };
}

/** A bit rate on an axis that ends at top: a bare number in top's unit. */
export function bitrateTick(kbps: number, top: number): string {
  const divisor = top >= 1_000_000 ? 1_000_000 : top >= 1000 ? 1000 : 1;
  return String(Math.round((kbps / divisor) * 100) / 100);
}

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Bytes sent or received, decimal as networks count. */
export function bytes(n: number): Quantity {
  let i = 0;
  while (n >= 1000 && i < byteUnits.length - 1) {
    n /= 1000;
    i++;
  }
  return { value: decimals(n, i === 0 || n >= 100 ? 0 : n >= 10 ? 1 : 2), unit: byteUnits[i] ?? "B" };
}

/** Memory, binary as machines count. */
export function memory(n: number): Quantity {
  const gib = n / 2 ** 30;
  return gib >= 1 ? { value: decimals(gib, 1), unit: "GiB" } : { value: count(n / 2 ** 20), unit: "MiB" };
}

const broadcastRates = [23.976, 29.97, 59.94];
const frameRates = [10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 100, 120];

/** The rate that is nearest, when it is within a part of itself. */
function nearestRate(n: number, within: number): number | undefined {
  const near = frameRates.reduce((a, b) => (Math.abs(b - n) < Math.abs(a - n) ? b : a));
  return Math.abs(near - n) <= near * within ? near : undefined;
}

/**
 * Frames a second as they are spoken of. A measurement is a little off at each reading: within 2 % of a usual rate, or of
 * a whole number, it is that one. 24.8 and 25.2 are 25, 29.97 stays itself, 11.3 is 11.3.
 */
export function fps(n: number): string {
  const broadcast = broadcastRates.find((r) => Math.abs(n - r) < 0.015);
  if (broadcast !== undefined) return decimals(broadcast, 2);
  const whole = nearestRate(n, 0.02) ?? Math.round(n);
  return Math.abs(n - whole) <= whole * 0.02 ? String(whole) : decimals(n, 1);
}

/** Milliseconds as seconds with the decimals that matter: 2.00 s, 9.8 s, 0.4 s. */
export function seconds(ms: number): string {
  const s = ms / 1000;
  return decimals(s, s < 5 ? 2 : 1);
}

export function text(q: Quantity): string {
  return `${q.value} ${q.unit}`;
}

/** "1080p50", "720p25 · HEVC": a picture's size in the words of the field; the codec only when it is not the usual one. */
export function pictureName(video: { width: number; height: number; codec: string } | null | undefined, rate: number): string {
  if (!video) return "Audio only";
  const standard = [2160, 1440, 1080, 720, 576, 480, 360, 240].includes(video.height);
  const size = video.height === 0 ? "" : standard ? `${video.height}p` : `${video.width} × ${video.height}`;
  const frames = standard ? (nearestRate(rate, 0.04)?.toString() ?? "") : "";
  const codec = video.codec === "H.264" || video.codec === "" ? "" : video.codec;
  return [size + frames, codec].filter(Boolean).join(" · ");
}
