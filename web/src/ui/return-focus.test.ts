import { expect, it } from "vitest";
import { nearest, wayBack } from "./return-focus";

// What is used of an element, without a document.
interface Fake {
  id: string;
  in?: { menu?: string; dialog?: Element };
  gone?: boolean;
}

const byId = new Map<string, Element>();
const body = {} as Element;
const ownerDocument = { body, getElementById: (id: string) => byId.get(id) ?? null };

function element({ id, in: within, gone }: Fake): Element {
  const made = {
    isConnected: !gone,
    ownerDocument,
    closest: (selector: string) =>
      selector.includes("menu") ? (within?.menu ? { getAttribute: () => within.menu } : null) : (within?.dialog ?? null),
  } as unknown as Element;
  byId.set(id, made);
  return made;
}

it("goes back to what had the focus", () => {
  const row = element({ id: "row" });
  expect(nearest(wayBack(row))).toBe(row);
});

it("goes back to a menu's button and not to its item", () => {
  const more = element({ id: "more" });
  expect(nearest(wayBack(element({ id: "item", in: { menu: "more" } })))).toBe(more);
});

it("goes nowhere when nothing had the focus, or all of it is gone", () => {
  expect(wayBack(null)).toEqual([]);
  expect(wayBack(Object.assign(body, { ownerDocument }))).toEqual([]);
  expect(nearest(wayBack(element({ id: "row", gone: true })))).toBeUndefined();
});
