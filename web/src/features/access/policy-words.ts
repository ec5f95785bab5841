import type { Vhost } from "@/api/types";
import { duration } from "@/format/time";

/** The settings of a vhost that choose one of a few words. */
export type PolicyName = "publish_policy" | "play_policy" | "duplicate_policy" | "referer_empty";
/** The timings of a vhost, in milliseconds. */
export type TimingName = "queue_ms" | "merge_ms" | "publisher_gap_ms" | "publisher_idle_ms";

interface Choice<T extends string> {
  value: T;
  label: string;
  /** What it leads to. */
  so: string;
}

type Policies = { readonly [K in PolicyName]: { label: string; choices: readonly Choice<Vhost[K]>[] } };

export const policies: Policies = {
  publish_policy: {
    label: "Publishers show",
    choices: [
      { value: "key_or_token", label: "A stream key or a token", so: "Encoders have a key; backends may hand out tokens." },
      { value: "key", label: "A stream key", so: "Publishers with a token are refused." },
      { value: "token", label: "A token", so: "Encoders with a stream key are refused." },
      { value: "open", label: "Nothing", so: "Whoever reaches the RTMP port may publish under any name." },
    ],
  },
  play_policy: {
    label: "Players show",
    choices: [
      { value: "open", label: "Nothing", so: "Whoever knows the address may watch, as far as the rules let them." },
      { value: "token", label: "A token", so: "Players without one are refused. The pictures on these pages bring their own." },
    ],
  },
  duplicate_policy: {
    label: "A second publisher",
    choices: [
      { value: "takeover_same_key", label: "Takes over with the same key", so: "An encoder that reconnects gets its stream back; others are refused." },
      { value: "takeover", label: "Takes over", so: "The first publisher is cut off, whoever it is." },
      { value: "reject", label: "Is refused", so: "An encoder that reconnects waits until its old connection is gone." },
    ],
  },
  referer_empty: {
    label: "No referer",
    choices: [
      { value: "allow", label: "Is let in", so: "Apps and RTMP players send none. Matters where there are referer rules." },
      { value: "deny", label: "Is refused", so: "Apps that send none are kept out, where there are referer rules." },
    ],
  },
};

export const policyNames = Object.keys(policies) as PolicyName[];

interface Timing {
  label: string;
  min: number;
  max: number;
  hint: string;
  /** What a value leads to, in a few words. */
  say: (ms: number) => string;
}

export const timings: Readonly<Record<TimingName, Timing>> = {
  queue_ms: { label: "Slow players", min: 200, max: 60_000, hint: "A player further behind jumps to the newest key frame.", say: (ms) => `Jump when ${span(ms)} behind` },
  merge_ms: { label: "Writes", min: 0, max: 5000, hint: "Wait this long to write more at once: less work, more delay. 0 writes at once.", say: (ms) => (ms === 0 ? "At once" : `Together, up to ${span(ms)} late`) },
  publisher_gap_ms: { label: "When the publisher leaves", min: 0, max: 3_600_000, hint: "Players are kept this long for the publisher to come back.", say: (ms) => (ms === 0 ? "Players leave too" : `Players stay ${span(ms)}`) },
  publisher_idle_ms: { label: "A silent publisher", min: 1000, max: 3_600_000, hint: "A publisher that sends nothing for this long is closed.", say: (ms) => `Is closed after ${span(ms)}` },
};

export const timingNames = Object.keys(timings) as TimingName[];

/** "350 ms", "2.5 s", "5 min". */
export function span(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000 || ms % 60_000 !== 0) return `${ms / 1000} s`;
  return duration(ms / 1000);
}

/** What stands on the screen for a policy's value. */
export function policyLabel(vhost: Vhost, name: PolicyName): string {
  return policies[name].choices.find((c) => c.value === vhost[name])?.label ?? vhost[name];
}

/** What the form holds: each value as the control has it. */
export type PolicyDraft = Record<PolicyName | TimingName, string>;

export function draftOf(vhost: Vhost): PolicyDraft {
  const { publish_policy, play_policy, duplicate_policy, referer_empty, media } = vhost;
  const ms = (name: TimingName) => String(media[name]);
  return {
    publish_policy,
    play_policy,
    duplicate_policy,
    referer_empty,
    queue_ms: ms("queue_ms"),
    merge_ms: ms("merge_ms"),
    publisher_gap_ms: ms("publisher_gap_ms"),
    publisher_idle_ms: ms("publisher_idle_ms"),
  };
}

export type PolicyChange = Partial<Pick<Vhost, PolicyName>> & { media?: Partial<Record<TimingName, number>> };

/** Only what differs, so that an untouched setting is not written again. Null: nothing does. */
export function changeOf(vhost: Vhost, draft: PolicyDraft): PolicyChange | null {
  const before = draftOf(vhost);
  const change: Record<string, unknown> = {};
  for (const name of policyNames) if (draft[name] !== before[name]) change[name] = draft[name];
  const media: Partial<Record<TimingName, number>> = {};
  for (const name of timingNames) if (draft[name] !== before[name]) media[name] = Number(draft[name]);
  if (Object.keys(media).length > 0) change["media"] = media;
  return Object.keys(change).length > 0 ? change : null;
}
