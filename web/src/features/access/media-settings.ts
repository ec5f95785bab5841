import type { Vhost } from "@/api/types";
import { memory, text } from "@/format/numbers";
import { span } from "./span";

type Media = Vhost["media"];
type Named<T> = { [K in keyof Media]: Media[K] extends T ? K : never }[keyof Media];

interface Common {
  label: string;
  /** What a fresh vhost has. */
  usual: number | boolean | string;
}

/** A number with a range. */
export interface NumberSetting extends Common {
  kind: "number";
  unit: "ms" | "bytes" | "messages";
  min: number;
  max: number;
  hint: string;
  say: (n: number) => string;
}

/** One of a few words. A switch is one of two. */
export interface ChoiceSetting extends Common {
  kind: "choice";
  choices: readonly { value: string; label: string; so: string }[];
}

export type Setting = NumberSetting | ChoiceSetting;
export type MediaName = Extract<Named<number | boolean | string>, string>;

const ms = (label: string, usual: number, min: number, max: number, hint: string, say: (n: number) => string): NumberSetting => ({ kind: "number", unit: "ms", label, usual, min, max, hint, say });
const size = (label: string, usual: number, min: number, max: number, hint: string, say: (n: number) => string): NumberSetting => ({ kind: "number", unit: "bytes", label, usual, min, max, hint, say });
const choice = (label: string, usual: string, ...choices: [value: string, label: string, so: string][]): ChoiceSetting => ({
  kind: "choice",
  label,
  usual,
  choices: choices.map(([value, words, so]) => ({ value, label: words, so })),
});
const onOff = (label: string, usual: boolean, on: [label: string, so: string], off: [label: string, so: string]): ChoiceSetting => ({
  ...choice(label, String(usual), ["true", ...on], ["false", ...off]),
  usual,
});

const hour = 3_600_000;

/** How a vhost treats its streams, in the groups that an operator looks for. */
export const mediaGroups: readonly { title: string; settings: Partial<Record<MediaName, Setting>> }[] = [
  {
    title: "Players",
    settings: {
      gop: onOff("New players", true, ["Start at once", "From the newest key frame, a moment behind live."], ["Start at the next key frame", "Later, and closer to live."]),
      queue_ms: ms("Slow players", 3000, 200, 60_000, "A player further behind jumps to the newest key frame.", (n) => `Jump when ${span(n)} behind`),
      play_wait_ms: ms("Nobody publishes", 10_000, 0, hour, "A player waits this long for a stream nobody publishes.", (n) => (n === 0 ? "Players are told at once" : `Players wait ${span(n)}`)),
      hevc_to_players: choice(
        "HEVC",
        "auto",
        ["auto", "What the player lists", "Enhanced RTMP's form for players that list hvc1, else as it was published."],
        ["enhanced", "Enhanced RTMP", "FourCC hvc1, whatever was published."],
        ["legacy", "Codec id 12", "What many older players know, whatever was published."],
        ["as_published", "As published", "Nothing is rewritten."],
      ),
      multitrack_to_players: choice(
        "Further tracks",
        "auto",
        ["auto", "To players that can", "Others get the default video and audio."],
        ["default_track", "To nobody", "Everybody gets the default video and audio."],
        ["all", "To everybody", "Older players may show garbage."],
      ),
      strict_codecs: onOff(
        "Codecs a player did not list",
        false,
        ["Are refused", "The player is told so. Many capable players list nothing, and are refused too."],
        ["Are sent", "Many capable players list nothing."],
      ),
    },
  },
  {
    title: "Publishers",
    settings: {
      first_media_ms: ms("No first frame", 10_000, 1000, hour, "A publisher whose first audio or video takes longer is closed.", (n) => `Is closed after ${span(n)}`),
      publisher_idle_ms: ms("A silent publisher", 10_000, 1000, hour, "A publisher that sends nothing for this long is closed.", (n) => `Is closed after ${span(n)}`),
      publisher_gap_ms: ms("When the publisher leaves", 10_000, 0, hour, "Players are kept this long for the publisher to come back.", (n) => (n === 0 ? "Players leave too" : `Players stay ${span(n)}`)),
      republish_ms: ms("After a stream ended", 180_000, 1000, hour, "The connection may take this long to publish or play again.", (n) => `The connection stays ${span(n)}`),
      max_message_bytes: size("Largest frame", 8_388_608, 16_384, 16_777_215, "A larger audio or video message ends the publisher.", (n) => text(memory(n))),
    },
  },
  {
    title: "Timing",
    settings: {
      merge_ms: ms("Writes", 0, 0, 5000, "Wait this long to write more at once: less work, more delay. 0 writes at once.", (n) => (n === 0 ? "At once" : `Together, up to ${span(n)} late`)),
      merge_min_messages: {
        kind: "number",
        unit: "messages",
        label: "Writes, at the latest",
        usual: 0,
        min: 0,
        max: 1024,
        hint: "That wait ends when so many messages are there. 0: when its time is over.",
        say: (n) => (n === 0 ? "When the time is over" : `At ${n} messages`),
      },
      timestamps: choice(
        "Timestamps",
        "full",
        ["full", "Jumps are evened out", "Time goes on smoothly, also when the encoder's jumps or it starts anew."],
        ["zero", "From zero", "Each publication starts at 0; jumps stay."],
        ["off", "As sent", "Players may see time jump."],
      ),
      atc: choice(
        "Encoder's clock",
        "auto",
        ["auto", "Kept where it says so", "Metadata with bravo_atc keeps an encoder's times as they are."],
        ["on", "Kept", "As with timestamps as sent."],
        ["off", "Not kept", "Whatever the metadata says."],
      ),
      tcp_nodelay: onOff("Small packets", true, ["Leave at once", "TCP_NODELAY is on."], ["May wait for more", "TCP_NODELAY is off: fewer packets, more delay."]),
      send_buffer_bytes: size("Send buffer", 0, 0, 67_108_864, "What the kernel keeps for one player. 0: as much as merged writes need, else the kernel's choice.", (n) => (n === 0 ? "As needed" : text(memory(n)))),
    },
  },
  {
    title: "Compatibility",
    settings: {
      profile: choice(
        "Habits",
        "modern",
        ["modern", "Today's", "What current encoders and players want."],
        ["srs2", "SRS 2.0", "Its order of answers, onBWDone and Data.Start."],
        ["nginx", "nginx-rtmp", "Its order of answers and its chunk streams."],
      ),
      stream_identity: choice(
        "A stream is",
        "name",
        ["name", "App and name", "live/one and live/two are two streams."],
        ["app", "The app alone", "All who connect to one app share one stream, whatever name they send."],
      ),
      reduce_sequence_header: onOff(
        "Repeated configurations",
        false,
        ["Are left out", "A decoder configuration sent again unchanged goes to nobody."],
        ["Go on to players", "As the encoder sends them."],
      ),
      chunk_size_bytes: size("Chunk size", 60_000, 128, 65_536, "RTMP chunks towards players. Old ones want 4096 or less.", (n) => text(memory(n))),
    },
  },
];

/** Every setting by its name. */
export const mediaSettings = Object.assign({}, ...mediaGroups.map((g) => g.settings)) as Readonly<Record<MediaName, Setting>>;
export const mediaNames = Object.keys(mediaSettings) as MediaName[];

/** What stands on the screen for a setting's value. */
export function mediaLabel(media: Media, name: MediaName): string {
  const setting = mediaSettings[name];
  const value = media[name];
  if (setting.kind === "number") return setting.say(Number(value));
  return setting.choices.find((c) => c.value === String(value))?.label ?? String(value);
}

/** The value of a control, as the API wants it. */
export function mediaValue(name: MediaName, value: string): number | boolean | string {
  const setting = mediaSettings[name];
  if (setting.kind === "number") return Number(value);
  return typeof setting.usual === "boolean" ? value === "true" : value;
}

/** The settings that are not what a fresh vhost has. */
export function unusual(media: Media): MediaName[] {
  return mediaNames.filter((name) => media[name] !== mediaSettings[name].usual);
}
