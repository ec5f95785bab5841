import { expect, it } from "vitest";
import { vhosts } from "../../../e2e/fixtures";
import { changeOf, draftOf, span, timings } from "./policy-words";

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
  expect(timings.merge_ms.say(0)).toBe("At once");
});
