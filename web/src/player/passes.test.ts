import { expect, it, vi } from "vitest";
import { Passes } from "./passes";

const place = { vhost: "default", app: "live", name: "a" };
const inSeconds = (s: number) => new Date(Date.now() + s * 1000).toISOString();

it("mints once for a stream, and again when asked for a fresh one", async () => {
  let n = 0;
  const mint = vi.fn(() => Promise.resolve({ token: `t${++n}`, expires_at: inSeconds(600) }));
  const passes = new Passes(mint);
  expect(await passes.get(place, false)).toBe("t1");
  expect(await passes.get({ ...place }, false)).toBe("t1");
  expect(await passes.get(place, true)).toBe("t2");
  expect(await passes.get({ ...place, name: "b" }, false)).toBe("t3");
  passes.clear();
  expect(await passes.get(place, false)).toBe("t4");
});

it("does not begin with a token that ends soon", async () => {
  const mint = vi.fn(() => Promise.resolve({ token: "t", expires_at: inSeconds(30) }));
  const passes = new Passes(mint);
  await passes.get(place, false);
  await passes.get(place, false);
  expect(mint).toHaveBeenCalledTimes(2);
});

it("asks again after minting failed", async () => {
  const mint = vi.fn<() => Promise<{ token: string; expires_at: string }>>().mockRejectedValueOnce(new Error("away")).mockResolvedValueOnce({ token: "t", expires_at: inSeconds(600) });
  const passes = new Passes(mint);
  await expect(passes.get(place, false)).rejects.toThrow("away");
  expect(await passes.get(place, false)).toBe("t");
});
