import { mkdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launch } from "./browser";
import { mock, type MockOptions } from "./mock";
import { serveDist } from "./static";

interface Screen {
  name: string;
  path: string;
  ready: string;
  options?: MockOptions;
}

const screens: readonly Screen[] = [
  { name: "overview", path: "/", ready: "text=Busiest streams" },
  { name: "overview-empty", path: "/", ready: "text=No streams yet", options: { empty: true } },
  { name: "streams", path: "/streams", ready: "article" },
  { name: "streams-table", path: "/streams?view=table", ready: "table" },
  { name: "streams-new", path: "/streams?new=1", ready: "[role=dialog]" },
  { name: "stream", path: "/streams/st_1", ready: ".uplot canvas" },
  { name: "sessions", path: "/sessions", ready: "table" },
  { name: "sessions-ended", path: "/sessions?show=ended", ready: "table" },
  { name: "session", path: "/sessions?session=ses_2", ready: ".drawer .facts" },
  { name: "events", path: "/sessions?show=events", ready: ".timeline" },
  { name: "keys", path: "/keys", ready: ".item" },
  { name: "access", path: "/access", ready: "table" },
  { name: "users", path: "/users", ready: "table" },
  { name: "audit", path: "/audit", ready: "table" },
  { name: "system", path: "/system", ready: ".facts" },
  { name: "paused", path: "/streams", ready: "text=Live data has paused", options: { feedDown: true } },
  { name: "login", path: "/streams", ready: "text=Sign in", options: { signedOut: true } },
  { name: "setup", path: "/setup#token=t", ready: "text=Make your account", options: { setupNeeded: true } },
  { name: "setup-needed", path: "/", ready: "text=Nobody lives here yet", options: { setupNeeded: true } },
];
const shots = process.env["PENSTOCK_SHOTS"]; // a folder for screenshots, to look at
const only = process.env["PENSTOCK_SCREENS"]?.split(",");

describe.skipIf(!hasChromium)("each screen", () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveDist>>;
  beforeAll(async () => {
    browser = await launch();
    site = await serveDist();
    if (shots) mkdirSync(shots, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of [1440, 360] as const) {
      it.each(screens.filter((s) => !only || only.includes(s.name)))(`$name, ${theme}, ${width} px`, async ({ name, path, ready, options }) => {
        const context = await browser.newContext({ viewport: { width, height: width === 360 ? 780 : 1000 }, colorScheme: theme, reducedMotion: "reduce" });
        const tab = await context.newPage();
        const complaints: string[] = [];
        tab.on("pageerror", (e) => complaints.push(e.message));
        tab.on("console", (m) => {
          // A refused or missing request is part of what is tested; a policy violation or a warning of React is not.
          if (m.type() === "error" && !m.text().startsWith("Failed to load resource")) complaints.push(m.text());
        });
        await mock(tab, options);
        await tab.goto(site.url + path);
        await tab.waitForSelector(ready);
        await tab.waitForTimeout(name === "stream" ? 1200 : 250);
        if (shots) await tab.screenshot({ path: `${shots}/${name}-${theme}-${width}.png`, fullPage: !["session", "streams-new"].includes(name) });

        expect(complaints).toEqual([]);
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(overflow, "nothing scrolls sideways").toBeLessThanOrEqual(0);
        const { violations } = await new AxeBuilder({ page: tab }).analyze();
        const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
        expect(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
        await context.close();
      });
    }
  }
});
