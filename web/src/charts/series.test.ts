import { describe, expect, it } from "vitest";
import { axisTop, layOut, range, slots } from "./series";

const samples = (...at: number[]) => at.map((a) => ({ at: a, value: a }));

describe("layOut", () => {
  it("keeps what is inside the span", () => {
    expect(layOut(samples(1, 98, 99, 100), 100, 3, 1)).toMatchObject({ times: [97.5, 98, 99, 100] });
    expect(layOut(samples(98, 99, 100), 100, 3, 1).times).toEqual([98, 99, 100]);
  });

  it("breaks the line at a gap and says how long it was", () => {
    const out = layOut(samples(10, 11, 24, 25), 25, 60, 1);
    expect(out.values).toEqual([10, 11, null, 24, 25]);
    expect(out.gaps).toEqual([{ from: 11, to: 24 }]);
  });

  it("does not take a late second for a gap", () => {
    expect(layOut(samples(10, 12, 14), 15, 60, 1).gaps).toEqual([]);
  });

  it("shows that nothing comes any more", () => {
    expect(layOut(samples(10, 11), 30, 60, 1).gaps).toEqual([{ from: 11, to: 30 }]);
  });
});

it("finds the range", () => {
  expect(range([null, 5, 2, null])).toEqual([2, 5]);
  expect(range([null])).toBeNull();
});

it.each([
  [6.9, 7.5],
  [50, 60],
  [2, 2],
  [4500, 5000],
  [0, 1],
])("axis for %d ends at or above it, at %d or a little more", (high, atLeast) => {
  const { top, step } = axisTop(high);
  expect(top).toBeGreaterThanOrEqual(high);
  expect(top).toBeGreaterThanOrEqual(atLeast * 0.99);
  expect(top / step).toBeLessThanOrEqual(4);
});

it("adds up in slots", () => {
  expect(slots([{ at: 91, value: 1 }, { at: 92, value: 2 }, { at: 99, value: 5 }, { at: 10, value: 9 }], 100, 10, 5)).toEqual([1, 2, 0, 0, 5]);
});
