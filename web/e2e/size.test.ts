import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

it("opens with at most 180 kB of compressed JavaScript, without the player and the charts", () => {
  const index = readFileSync(`${dist}index.html`, "utf8");
  const scripts = [...index.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((m) => m[1] ?? "");
  expect(scripts.length).toBeGreaterThan(0);
  const bodies = scripts.map((s) => readFileSync(dist + s));
  const size = bodies.reduce((n, b) => n + gzipSync(b).length, 0);
  expect(size).toBeLessThanOrEqual(180_000);
  const all = bodies.map(String).join("");
  expect(all, "mpegts.js is a chunk of its own").not.toContain("mseLivePlayback");
  expect(all, "uPlot is a chunk of its own").not.toContain("u-cursor-x");
});
