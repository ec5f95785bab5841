import { expect, it } from "vitest";
import { ffmpegCommand, quote } from "./snippets";

it("quotes what a shell would take apart", () => {
  expect(quote("rtmp://live.example.com:1935/live/sk_abc")).toBe("rtmp://live.example.com:1935/live/sk_abc");
  expect(quote("rtmp://h/a;rm -rf ~/sk")).toBe("'rtmp://h/a;rm -rf ~/sk'");
  expect(quote("it's")).toBe(`'it'\\''s'`);
  expect(quote("a$(id)")).toBe("'a$(id)'");
});

it("ends the command with the whole address", () => {
  expect(ffmpegCommand("rtmp://h/live", "sk_1")).toMatch(/-f flv rtmp:\/\/h\/live\/sk_1$/);
});
