import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { vhosts } from "../../../e2e/fixtures";
import { mediaGroups, mediaLabel, mediaNames, mediaSettings, unusual } from "./media-settings";
import { changeOf, draftOf } from "./policy-words";
import { span } from "./span";

it("sends only what was changed", () => {
  const [vhost] = vhosts;
  if (!vhost) throw new Error("no vhost in the fixtures");
  const draft = draftOf(vhost);
  expect(changeOf(vhost, draft)).toBeNull();
  expect(changeOf(vhost, { ...draft, play_policy: "token" })).toEqual({ play_policy: "token" });
  expect(changeOf(vhost, { ...draft, queue_ms: "1500", duplicate_policy: "reject" })).toEqual({ duplicate_policy: "reject", media: { queue_ms: 1500 } });
});

it("says timings in words", () => {
  expect(span(350)).toBe("350 ms");
  expect(span(2500)).toBe("2.5 s");
  expect(span(90_000)).toBe("90 s");
  expect(span(300_000)).toBe("5 min");
});

it("knows every setting of a vhost, once", () => {
  const [vhost] = vhosts;
  if (!vhost) throw new Error("no vhost in the fixtures");
  const known: string[] = mediaGroups.flatMap((g) => Object.keys(g.settings));
  expect(known.toSorted()).toEqual(Object.keys(vhost.media).toSorted());
  expect(new Set(mediaNames).size).toBe(known.length);
});

it("says what is unusual, and sends values of their kind", () => {
  const [vhost] = vhosts;
  if (!vhost) throw new Error("no vhost in the fixtures");
  expect(unusual({ ...vhost.media, profile: "srs2", gop: false })).toEqual(["gop", "profile"]);
  expect(mediaLabel(vhost.media, "merge_ms")).toBe("At once");
  expect(mediaLabel(vhost.media, "tcp_nodelay")).toBe("Leave at once");
  const draft = { ...draftOf(vhost), strict_codecs: "true", merge_min_messages: "8", timestamps: "zero" };
  expect(changeOf(vhost, draft)).toEqual({ media: { strict_codecs: true, merge_min_messages: 8, timestamps: "zero" } });
});

it("offers the ranges and the words of the API, no others", () => {
  const spec = readFileSync(new URL("../../../../openapi.yaml", import.meta.url), "utf8");
  const edit = /^ {4}VhostMediaEdit:\n(?: {5,}.*\n)+/m.exec(spec)?.[0] ?? "";
  for (const name of mediaNames) {
    const said = new RegExp(`^ {8}${name}:\\n((?: {9,}.*\\n)+)`, "m").exec(edit)?.[1] ?? "";
    const bound = (word: string) => Number(new RegExp(`^ +${word}: (\\d+)$`, "m").exec(said)?.[1]);
    const setting = mediaSettings[name];
    if (setting.kind === "number") {
      expect([name, setting.min, setting.max]).toEqual([name, bound("minimum"), bound("maximum")]);
    } else if (typeof setting.usual === "boolean") {
      expect([name, said.includes("type: boolean")]).toEqual([name, true]);
    } else {
      const words = [...said.matchAll(/^ +- "?(\w+)"?$/gm)].map((m) => m[1]);
      expect([name, setting.choices.map((c) => c.value).toSorted()]).toEqual([name, words.toSorted()]);
    }
  }
});

it("calls usual what a fresh vhost has", () => {
  for (const vhost of vhosts) expect(unusual(vhost.media)).toEqual([]);
});
