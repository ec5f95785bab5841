import type { Vhost } from "@/api/types";
import { mediaNames, mediaValue, type MediaName } from "./media-settings";

/** The settings of a vhost that choose one of a few words. */
export type PolicyName = "publish_policy" | "play_policy" | "duplicate_policy" | "referer_empty";

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

/** What stands on the screen for a policy's value. */
export function policyLabel(vhost: Vhost, name: PolicyName): string {
  return policies[name].choices.find((c) => c.value === vhost[name])?.label ?? vhost[name];
}

/** What the form holds: each value as the control has it. */
export type PolicyDraft = Record<PolicyName | MediaName, string>;

export function draftOf(vhost: Vhost): PolicyDraft {
  const draft: Record<string, string> = {};
  for (const name of policyNames) draft[name] = vhost[name];
  for (const name of mediaNames) draft[name] = String(vhost.media[name]);
  return draft as PolicyDraft;
}

export type PolicyChange = Partial<Pick<Vhost, PolicyName>> & { media?: Partial<Vhost["media"]> };

/** Only what differs, so that an untouched setting is not written again. Null: nothing does. */
export function changeOf(vhost: Vhost, draft: PolicyDraft): PolicyChange | null {
  const before = draftOf(vhost);
  const change: Record<string, unknown> = {};
  for (const name of policyNames) if (draft[name] !== before[name]) change[name] = draft[name];
  const media: Record<string, unknown> = {};
  for (const name of mediaNames) if (draft[name] !== before[name]) media[name] = mediaValue(name, draft[name]);
  if (Object.keys(media).length > 0) change["media"] = media;
  return Object.keys(change).length > 0 ? change : null;
}
