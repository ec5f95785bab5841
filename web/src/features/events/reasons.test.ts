import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { reasonWords } from "./reasons";

it("has words for every reason of the engine", () => {
  const source = readFileSync(new URL("../../../../server/config/reason.go", import.meta.url), "utf8");
  const reasons = [...source.matchAll(/Reason\s*=\s*"([a-z_]+)"/g)].map((match) => match[1] ?? "");
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.filter((reason) => reasonWords(reason) === reason.replaceAll("_", " "))).toEqual([]);
});
