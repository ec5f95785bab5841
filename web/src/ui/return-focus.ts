import { useState } from "react";

// A dialog without a trigger of its own does not know whence it was opened, and Radix would leave the focus on the
// body when it closes. So each remembers what had the focus when it opened.

/** Where the focus goes when a dialog closes, the nearest first. */
export type WayBack = readonly Element[];

/** The ways back of the dialogs that are open, by their content. */
const waysBack = new WeakMap<Element, WayBack>();

/**
 * The way back for a dialog that opens now. An item of a menu goes away with its menu, so the menu's button takes its
 * place; what stands in another dialog is followed by that dialog's own way back, in case it closes first.
 */
export function wayBack(from: Element | null): WayBack {
  if (!from || from === from.ownerDocument.body) return [];
  const button = from.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const start = (button && from.ownerDocument.getElementById(button)) || from;
  const around = start.closest('[role="dialog"]');
  return [start, ...((around && waysBack.get(around)) ?? [])];
}

/** The nearest of them that is still there. */
export function nearest(way: WayBack): Element | undefined {
  return way.find((el) => el.isConnected);
}

interface FocusHandlers {
  onOpenAutoFocus: (e: Event) => void;
  onCloseAutoFocus: (e: Event) => void;
}

/** Handlers for a dialog's content that give the focus back to what opened it; to the page's main part when that is gone. */
export function useReturnFocus(): FocusHandlers {
  // Taken while rendering: once the dialog is in the page, the menu that opened it is not any more.
  const [way] = useState(() => wayBack(document.activeElement));
  return {
    onOpenAutoFocus: (e) => {
      if (e.target instanceof Element) waysBack.set(e.target, way);
    },
    onCloseAutoFocus: (e) => {
      e.preventDefault();
      const target = nearest(way) ?? document.getElementById("main");
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    },
  };
}
