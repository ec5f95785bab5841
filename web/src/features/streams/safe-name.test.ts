import { expect, it } from "vitest";
import { encodedName, safeName } from "./safe-name";

it.each(["match-day", "cam_1.main", "A~b"])("leaves %s alone", (name) => expect(encodedName(name)).toBeNull());

it.each([
  ["Match day", "Match%20day", "Match-day"],
  [" Café  Süd ", "%20Caf%C3%A9%20%20S%C3%BCd%20", "Cafe-Sud"],
  ["a/b?c#d", "a%2Fb%3Fc%23d", "a-b-c-d"],
  ["50 % & more..", "50%20%25%20%26%20more..", "50-more"],
  ["直播", "%E7%9B%B4%E6%92%AD", ""],
])("%s is %s in an address; safe is %s", (name, encoded, safe) => {
  expect(encodedName(name)).toBe(encoded);
  expect(safeName(name)).toBe(safe);
  expect(encodedName(safe)).toBeNull();
});

it("does not stumble over half a character", () => expect(encodedName("\ud800")).toBeNull());
