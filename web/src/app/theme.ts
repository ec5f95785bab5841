import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "system";

const storageKey = "penstock.theme"; // also read by public/theme.js, before the first paint
const listeners = new Set<() => void>();

function current(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

export function setTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"];
    localStorage.removeItem(storageKey);
  } else {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(storageKey, theme);
  }
  listeners.forEach((l) => l());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener("change", listener);
  };
}

/** The chosen theme, and whether the page is dark now. */
export function useTheme(): { theme: Theme; dark: boolean } {
  const theme = useSyncExternalStore(subscribe, current);
  const dark = useSyncExternalStore(subscribe, () =>
    current() === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : current() === "dark",
  );
  return { theme, dark };
}
