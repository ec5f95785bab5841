import { expect, it } from "vitest";
import { changes } from "./changes";

it("shows what differs, also inside", () => {
  expect(changes({ name: "a", media: { gop: true, queue_ms: 3000 }, revision: 1 }, { name: "a", media: { gop: false, queue_ms: 3000 }, revision: 2 })).toEqual([
    { field: "media.gop", before: "true", after: "false" },
  ]);
});

it("shows everything of what was made or deleted", () => {
  expect(changes(undefined, { name: "a" })).toEqual([{ field: "name", before: "–", after: "a" }]);
  expect(changes({ tags: ["x"] }, null)).toEqual([{ field: "tags", before: '["x"]', after: "–" }]);
});
