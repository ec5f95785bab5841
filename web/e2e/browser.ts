import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

export const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const hasChromium = existsSync(chromiumPath);

/** Starts a headless browser that asks nobody outside for anything. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--autoplay-policy=no-user-gesture-required",
    ],
  });
}
