import { expect, it } from "vitest";
import { explain } from "./explain";

it("says in words what went wrong", () => {
  expect(explain("NetworkError", "HttpStatusCodeInvalid", { code: 403 })).toMatchObject({ final: true });
  expect(explain("NetworkError", "HttpStatusCodeInvalid", { code: 404 })).toMatchObject({ final: false });
  expect(explain("NetworkError", "Exception", { code: -1 }).why).toMatch(/broke/);
  expect(explain("MediaError", "CodecUnsupported", undefined)).toMatchObject({ final: true });
  expect(explain("OtherError", "", undefined).final).toBe(false);
});
