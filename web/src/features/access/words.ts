import type { AccessCheck, Refusal } from "@/api/types";
import { reasonWords } from "@/features/events/reasons";
import { protocolName } from "@/features/sessions/words";
import { afterFirst, firstSentence } from "@/features/streams/health";
import { sentenceText } from "@/format/hostile";
import type { Tone } from "@/ui/mark";
import type { Scope } from "./queries";

export const scopeNames: Record<Scope, string> = { all: "Both", publish: "Publish", play: "Play" };

const checkNames: Readonly<Record<string, string>> = {
  vhost: "Vhost",
  stream: "Stream",
  name: "Name",
  ip: "IP rules",
  referer: "Referer rules",
  credential: "Key or token",
  policy: "Policy",
  limit: "Limits",
  ban: "Bans",
};

/** A check's name as it stands on the screen. */
export function checkName(name: string): string {
  return checkNames[name] ?? name.replaceAll("_", " ");
}

export const checkTones: Record<AccessCheck["result"], Tone> = { pass: "ok", fail: "bad", report: "warn", not_reached: "idle" };
export const checkResults: Record<AccessCheck["result"], string> = { pass: "passed", fail: "refused", report: "report only", not_reached: "not reached" };

/** A refusal in its own words: the failed check's, or else what was said on the whole, or what the reason means. */
export function refusalWords(answer: { reason?: string; detail?: string; checks: readonly AccessCheck[] }): { head: string; rest: string } {
  const said = answer.checks.find((c) => c.result === "fail")?.detail || answer.detail;
  if (!said) return { head: reasonWords(answer.reason ?? ""), rest: "" };
  const text = sentenceText(said);
  return { head: firstSentence(text), rest: sentenceText(afterFirst(text)) };
}

/** Who was refused, by what it wanted. */
export function who(r: Refusal): string {
  return r.action === "publish" ? "Publisher" : `${protocolName(r.protocol)} player`;
}
