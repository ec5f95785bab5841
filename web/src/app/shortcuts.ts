import { useEffect } from "react";
import { useLocation } from "wouter";
import { nav } from "./nav";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** ⌘K or Ctrl K opens the palette, "/" goes to the screen's search, "g" and a letter goes to a screen. */
export function useShortcuts(openPalette: () => void): void {
  const [, go] = useLocation();
  useEffect(() => {
    let afterG = 0;
    const onKey = (e: KeyboardEvent) => {
      if ((e.metaKey || e.ctrlKey) && e.key.toLowerCase() === "k") {
        e.preventDefault();
        openPalette();
        return;
      }
      if (e.metaKey || e.ctrlKey || e.altKey || isTyping(e.target)) return;
      if (document.querySelector('[role="dialog"]')) return;
      if (e.key === "/") {
        e.preventDefault();
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (search) search.focus();
        else openPalette();
        return;
      }
      if (e.key === "g") {
        afterG = e.timeStamp;
        return;
      }
      if (e.timeStamp - afterG < 1000) {
        const item = nav.flatMap((g) => g.items).find((i) => i.hotkey === e.key);
        if (item) go(item.href);
      }
      afterG = 0;
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [openPalette, go]);
}
