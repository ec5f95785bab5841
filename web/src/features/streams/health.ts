import type { Stream } from "@/api/types";
import type { Tone } from "@/ui/mark";
import { seconds } from "@/format/numbers";

export interface Health {
  tone: Tone;
  word: string;
}

/** How a stream is: live and good, fair or bad; connecting; idle. */
export function healthOf(stream: Stream): Health {
  const { live } = stream;
  if (!stream.enabled) return { tone: "idle", word: "Disabled" };
  if (!live) return { tone: "idle", word: "Idle" };
  if (!live.video && !live.audio) return { tone: "wait", word: "Connecting" };
  if (live.health === "bad") return { tone: "bad", word: "Bad" };
  if (live.health === "fair") return { tone: "warn", word: "Fair" };
  return { tone: "ok", word: "Good" };
}

/** The worst finding in a few words, for a picture's corner: "Key frame every 9.8 s". */
export function shortFinding(stream: Stream): string | null {
  const { live } = stream;
  const finding = live?.findings[0];
  if (!live || !finding) return null;
  if (finding.code.startsWith("key_interval") && live.key_interval_ms > 0) return `Key frame every ${seconds(live.key_interval_ms)} s`;
  return firstSentence(finding.text);
}

/** A finding's fact, without its consequence and advice. */
export function firstSentence(text: string): string {
  return (/^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text).replace(/[.:]$/, "");
}

/** What follows the fact. */
export function afterFirst(text: string): string {
  return text.slice((/^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text).length).trim();
}

/** Streams that somebody should look at first, then those most are watching. */
export function byHealthThenPlayers(a: Stream, b: Stream): number {
  return weight(b) - weight(a) || (b.live?.players ?? b.waiting_players) - (a.live?.players ?? a.waiting_players) || a.name.localeCompare(b.name);
}

function weight(s: Stream): number {
  if (!s.live) return s.waiting_players > 0 ? 1 : 0;
  return { bad: 5, fair: 4, good: 3 }[s.live.health];
}
