import { expect, it, vi } from "vitest";
import { dropToken, takeToken } from "./token";

it("reads the token behind the hash", () => {
  const replaceState = vi.fn();
  expect(takeToken({ pathname: "/setup", search: "", hash: "#token=abc%2B1" }, { replaceState })).toBe("abc+1");
  expect(replaceState).not.toHaveBeenCalled();
});

it("moves a token out of the query", () => {
  const replaceState = vi.fn();
  expect(takeToken({ pathname: "/setup", search: "?token=abc", hash: "" }, { replaceState })).toBe("abc");
  expect(replaceState).toHaveBeenCalledWith(null, "", "/setup#token=abc");
});

it("knows a link without a token, and forgets one", () => {
  const replaceState = vi.fn();
  expect(takeToken({ pathname: "/setup", search: "", hash: "" }, { replaceState })).toBe("");
  dropToken({ pathname: "/setup" }, { replaceState });
  expect(replaceState).toHaveBeenCalledWith(null, "", "/setup");
});
