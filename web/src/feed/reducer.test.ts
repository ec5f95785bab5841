import { describe, expect, it } from "vitest";
import { applyDelta, applySnap } from "./reducer";

interface Item {
  id: string;
  n: number;
}

const snap = (items: Item[]) => applySnap<Item>({ type: "snap", topic: "t", epoch: "e1", seq: 5, total: items.length, items });

describe("feed reducer", () => {
  it("takes a snapshot whole", () => {
    expect([...snap([{ id: "a", n: 1 }, { id: "b", n: 2 }]).items.keys()]).toEqual(["a", "b"]);
  });

  const delta = (seq: number, up: Item[] = [], rm: string[] = []) => ({ type: "delta" as const, topic: "t", seq, up, rm, total: 0 });

  it("puts, replaces in place and removes", () => {
    const before = snap([{ id: "a", n: 1 }, { id: "b", n: 2 }, { id: "c", n: 3 }]);
    const next = applyDelta(before, delta(6, [{ id: "b", n: 9 }, { id: "d", n: 4 }], ["a"]));
    expect([...(next?.items.values() ?? [])]).toEqual([{ id: "b", n: 9 }, { id: "c", n: 3 }, { id: "d", n: 4 }]);
    expect(next?.seq).toBe(6);
  });

  it("removes and adds the same id in one delta", () => {
    expect(applyDelta(snap([{ id: "a", n: 1 }]), delta(6, [{ id: "a", n: 2 }], ["a"]))?.items.get("a")?.n).toBe(2);
  });

  it("does not touch the state it was given", () => {
    const before = snap([{ id: "a", n: 1 }]);
    applyDelta(before, delta(6, [], ["a"]));
    expect(before.items.size).toBe(1);
  });

  it("ignores a delta it has seen", () => {
    const before = snap([{ id: "a", n: 1 }]);
    expect(applyDelta(before, delta(5, [], ["a"]))).toBe(before);
  });

  it("asks again when a message was missed or no snapshot came yet", () => {
    expect(applyDelta(snap([]), delta(7))).toBeUndefined();
    expect(applyDelta<Item>(undefined, delta(1))).toBeUndefined();
  });
});
