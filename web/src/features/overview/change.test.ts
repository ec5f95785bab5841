import { expect, it } from "vitest";
import { changeWords } from "./change";

const end = new Date(2026, 2, 14, 14, 17, 8).getTime();
const at = (secondsAgo: number, value: number) => ({ time: new Date(end - secondsAgo * 1000).toISOString(), value });

it.each([
  ["nothing moved", [at(895, 2), at(400, 2)], 2, "steady for 15 min"],
  ["more", [at(895, 2), at(400, 9)], 5, "+3 in 15 min"],
  ["fewer", [at(895, 2000), at(400, 2000)], 1, "−1,999 in 15 min"],
  ["it moved and came back", [at(895, 0), at(400, 2), at(200, 0)], 0, "0 to 2 in 15 min"],
  ["just started", [at(25, 0), at(20, 0)], 0, "steady since 14:16"],
  ["just started and moved", [at(25, 0), at(20, 1)], 0, "0 to 1 since 14:16"],
  ["what is older does not count", [at(2000, 7), at(300, 2)], 2, "steady since 14:12"],
  ["nothing known but the present", [], 4, "steady since 14:17"],
])("%s", (_, points, value, want) => expect(changeWords(points, at(0, value))).toBe(want));
