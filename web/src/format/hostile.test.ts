import { expect, it } from "vitest";
import { agentName, hostOnly, pageHost, plainText } from "./hostile";

it("shows characters that would hide or turn text", () => {
  expect(plainText("a\u202egpj.exe")).toBe("a\\u202egpj.exe");
  expect(plainText("x\u0000y\nz")).toBe("x\\u0000y\\u000az");
  expect(plainText("<script>alert(1)</script>")).toBe("<script>alert(1)</script>");
  expect(plainText("x".repeat(300))).toHaveLength(257);
});

it("takes only web pages for pages", () => {
  expect(pageHost("https://sport.example.com/tv?x=1")).toBe("sport.example.com");
  expect(pageHost("javascript:alert(1)")).toBe("");
  expect(pageHost("not a page")).toBe("");
});

it("drops the port", () => {
  expect(hostOnly("203.0.113.40:51234")).toBe("203.0.113.40");
  expect(hostOnly("[2001:db8::1]:443")).toBe("2001:db8::1");
  expect(hostOnly("2001:db8::1")).toBe("2001:db8::1");
});

it("names agents", () => {
  expect(agentName("FMLE/3.0 (compatible; obs-studio/32.0.1; FMSc/1.0)")).toBe("OBS Studio 32.0.1");
  expect(agentName("FMLE/3.0 (compatible; Lavf61.7.100)")).toBe("FFmpeg (61.7)");
  expect(agentName("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36")).toBe("Chrome 145");
  expect(agentName("strange thing")).toBe("strange thing");
});
