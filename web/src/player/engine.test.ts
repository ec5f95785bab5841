import { expect, it, vi } from "vitest";

vi.mock("mpegts.js", () => ({ default: {} })); // wants a window as soon as it is loaded

it("says in words what went wrong", async () => {
  const { explain } = await import("./engine");
  expect(explain("NetworkError", "HttpStatusCodeInvalid", { code: 403 })).toMatchObject({ final: true });
  expect(explain("NetworkError", "HttpStatusCodeInvalid", { code: 404 })).toMatchObject({ final: false });
  expect(explain("NetworkError", "Exception", { code: -1 }).why).toMatch(/broke/);
  expect(explain("MediaError", "CodecUnsupported", undefined)).toMatchObject({ final: true });
  expect(explain("OtherError", "", undefined).final).toBe(false);
});
