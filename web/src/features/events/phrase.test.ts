import { expect, it } from "vitest";
import type { Event } from "@/api/types";
import { phrase } from "./phrase";

const event = (part: Partial<Event>): Event => ({ id: "e.1", seq: 1, type: "stream.published", occurred_at: "2026-01-01T00:00:00Z", name: "match-day", peer: "203.0.113.40:51234", ...part });

it("says why a publisher ended", () => {
  const kicked = phrase(event({ type: "stream.unpublished", reason: "kicked", detail: "wrong programme" }), false);
  expect(kicked).toMatchObject({ tone: "warn", title: "Publisher kicked", text: "Kicked: wrong programme" });
  expect(phrase(event({ type: "stream.unpublished", reason: "idle" }), false).text).toBe("It sent nothing for too long");
});

it("puts the stream first where many stand together", () => {
  expect(phrase(event({ type: "stream.refused", reason: "refused_key" }), true)).toMatchObject({
    tone: "bad",
    title: "match-day",
    text: "Refused from 203.0.113.40. The stream key is not valid",
  });
});

it("shows what it does not know as it is", () => {
  expect(phrase(event({ type: "stream.new_thing", reason: "some_reason" }), false)).toMatchObject({ title: "stream.new_thing", text: "some reason" });
});
