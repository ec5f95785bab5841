import type { Event } from "@/api/types";
import { hostOnly, plainText, sentenceText } from "@/format/hostile";
import type { TimelineItem } from "@/ui/timeline";
import { reasonTone, reasonWords } from "./reasons";

/** The reason of an event in a sentence: its own detail, or what the reason means. */
function why(e: Event): string {
  const detail = e.detail ? sentenceText(e.detail) : "";
  if (!e.reason) return detail;
  const words = reasonWords(e.reason);
  return detail && detail.toLowerCase() !== words.toLowerCase() ? (e.reason === "kicked" ? `${words}: ${plainText(e.detail ?? "")}` : detail) : words;
}

/** An event as a line of a timeline. With the stream's name in front where events of many streams stand together. */
export function phrase(e: Event, named: boolean): TimelineItem {
  const stream = plainText(e.name || "No stream", 60);
  const peer = e.peer ? hostOnly(e.peer) : "";
  const from = peer ? ` from ${peer}` : "";
  const line = (tone: TimelineItem["tone"], what: string, text: string): TimelineItem => ({
    id: e.id,
    at: e.occurred_at,
    tone,
    title: named ? stream : what,
    text: named ? [what, text].filter(Boolean).join(". ") : text,
  });
  switch (e.type) {
    case "stream.published":
      return line("live", `Published${from}`, e.detail ? sentenceText(e.detail) : "");
    case "stream.unpublished":
      return line(e.reason ? reasonTone(e.reason) : "idle", e.reason === "kicked" ? "Publisher kicked" : "Publisher left", why(e));
    case "stream.refused":
      return line("bad", `Refused${from}`, why(e));
    case "stream.taken_over":
      return line("warn", `Taken over${from}`, why(e));
    case "stream.health_changed":
      return line(e.reason === "good" ? "ok" : e.reason === "bad" ? "bad" : "warn", "Health changed", why(e));
    case "session.play_started":
      return line("ok", `Player joined${from}`, e.detail ? sentenceText(e.detail) : "");
    case "session.play_ended":
      return line(e.reason ? reasonTone(e.reason) : "idle", e.reason === "kicked" ? `Player kicked${from}` : `Player left${from}`, why(e));
    default:
      return line("idle", plainText(e.type, 60), why(e));
  }
}
