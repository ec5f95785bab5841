import { expect, it } from "vitest";
import type { AccessCheck } from "@/api/types";
import { refusalWords } from "./words";

const check = (result: AccessCheck["result"], detail: string): AccessCheck => ({ name: "credential", result, detail, took_us: 1 });

it("heads a refusal by the failed check's own words", () => {
  const checks = [check("pass", 'the vhost is "default"'), check("fail", "a token is needed: add ?token= to the stream name"), check("not_reached", "")];
  expect(refusalWords({ reason: "refused_token", detail: "not let in", checks })).toEqual({ head: "A token is needed", rest: "Add ?token= to the stream name" });
});

it("falls back to what was said on the whole, then to the reason", () => {
  expect(refusalWords({ reason: "refused_key", detail: "The key expired on 1 March.", checks: [] })).toEqual({ head: "The key expired on 1 March", rest: "" });
  expect(refusalWords({ reason: "refused_token", checks: [check("fail", "")] })).toEqual({ head: "The token is not valid", rest: "" });
});
