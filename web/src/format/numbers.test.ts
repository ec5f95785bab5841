import { describe, expect, it } from "vitest";
import { bitrate, bytes, count, fps, memory, pictureName, plural, seconds, text } from "./numbers";

describe("bitrate", () => {
  it.each([
    [0, "0 kbit/s"],
    [610, "610 kbit/s"],
    [999, "999 kbit/s"],
    [1000, "1.00 Mbit/s"],
    [6021, "6.02 Mbit/s"],
    [38_840, "38.8 Mbit/s"],
    [412_400, "412 Mbit/s"],
    [10_180_000, "10.18 Gbit/s"],
  ])("%d kbit/s reads %s", (kbps, want) => expect(text(bitrate(kbps))).toBe(want));
});

it("counts bytes as networks do and memory as machines do", () => {
  expect(text(bytes(999))).toBe("999 B");
  expect(text(bytes(1_500_000))).toBe("1.50 MB");
  expect(text(bytes(4_900_000_000))).toBe("4.90 GB");
  expect(text(memory(1.9 * 2 ** 30))).toBe("1.9 GiB");
  expect(text(memory(40 * 2 ** 20))).toBe("40 MiB");
});

it("shows frames a second whole when they are", () => {
  expect(fps(50)).toBe("50");
  expect(fps(49.9)).toBe("50");
  expect(fps(23.98)).toBe("23.98");
  expect(fps(29.97)).toBe("29.97");
  expect([24.8, 24.9, 25, 25.2].map(fps)).toEqual(["25", "25", "25", "25"]);
  expect(fps(60.7)).toBe("60");
  expect(fps(11.3)).toBe("11.3");
  expect(fps(0)).toBe("0");
});

it("groups thousands and knows one from many", () => {
  expect(count(2214)).toBe("2,214");
  expect(plural(1, "player")).toBe("1 player");
  expect(plural(0, "player")).toBe("0 players");
  expect(plural(2, "key frame")).toBe("2 key frames");
});

it("writes seconds with the decimals that matter", () => {
  expect(seconds(2000)).toBe("2.00");
  expect(seconds(9800)).toBe("9.8");
});

it("names a picture", () => {
  expect(pictureName({ codec: "H.264", width: 1920, height: 1080 }, 50)).toBe("1080p50");
  expect(pictureName({ codec: "H.265", width: 1280, height: 720 }, 25.01)).toBe("720p25 · H.265");
  expect([24.6, 24.8, 25.2].map((rate) => pictureName({ codec: "H.264", width: 640, height: 360 }, rate))).toEqual(["360p25", "360p25", "360p25"]);
  expect(pictureName({ codec: "H.264", width: 640, height: 352 }, 30)).toBe("640 × 352");
  expect(pictureName({ codec: "H.264", width: 1280, height: 720 }, 11.3)).toBe("720p");
  expect(pictureName(null, 0)).toBe("Audio only");
});
