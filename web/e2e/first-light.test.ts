import { spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launch } from "./browser";
import { binary, end, exited, hasBinary, publish, startPenstock, type Penstock } from "./penstock";

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;
const missing = [!hasBinary && `PENSTOCK_BIN (${binary || "not set"})`, !hasFfmpeg && "ffmpeg", !hasChromium && "chromium"].filter(Boolean);
if (missing.length > 0) console.log(`first light: skipped, missing ${missing.join(", ")}`);

const shots = process.env["PENSTOCK_SHOTS"];
const admin = { name: "Ingrid Solheim", email: "ingrid@example.com", password: "a gate that opens slowly" };

/** What a newcomer does, from the one-time link to the kick, against the real program and a real encoder. */
describe.skipIf(missing.length > 0)("first light", () => {
  let penstock: Penstock;
  let browser: Browser;
  let tab: Page;
  let key = "";
  let server = "";
  let encoder: ChildProcess | undefined;
  const complaints: string[] = [];

  beforeAll(async () => {
    [penstock, browser] = await Promise.all([startPenstock(), launch()]);
    const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
    if (shots) mkdirSync(shots, { recursive: true });
    tab = await context.newPage();
    tab.on("pageerror", (e) => complaints.push(e.message));
    tab.on("console", (m) => {
      if (m.type() === "error" && !m.text().startsWith("Failed to load resource")) complaints.push(m.text());
    });
  });
  afterAll(async () => {
    if (encoder) await end(encoder);
    await browser.close();
    await penstock.stop();
  });
  const shot = async (name: string) => {
    if (shots) await tab.screenshot({ path: `${shots}/live-${name}.png`, fullPage: true });
  };
  const accessible = async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page: tab }).analyze();
      const serious = violations.filter((v) => v.impact === "serious" || v.impact === "critical");
      expect(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(" | ")}`)).toEqual([]);
    }
    await tab.emulateMedia({ colorScheme: "light" });
  };

  it("opens the one-time link and creates the admin", async () => {
    await tab.goto(penstock.setup);
    await tab.getByLabel("Name").fill(admin.name);
    await tab.getByLabel("E-mail").fill(admin.email);
    await tab.getByLabel("Password", { exact: true }).fill(admin.password);
    await tab.getByRole("button", { name: "Create admin" }).click();
    await tab.getByRole("heading", { name: "Name your first stream" }).waitFor();
    expect(tab.url(), "the used token is gone from the address").not.toContain("token");
  });

  it("creates the first stream and gets a server and a key", async () => {
    await tab.getByLabel("Stream name").fill("match-day");
    await tab.getByRole("button", { name: "Create stream and key" }).click();
    await tab.getByText("Waiting for your encoder…").waitFor();
    server = await tab.getByRole("group", { name: "Server" }).locator("code").innerText();
    key = await tab.getByRole("group", { name: "Stream key" }).locator("code").innerText();
    expect(key).toMatch(/^sk_[A-Za-z0-9]{20,}$/);
    expect(server).toBe(`rtmp://${penstock.rtmp}/live`);
    await tab.getByRole("button", { name: "Copy stream key" }).click();
    await tab.getByText("Copied").waitFor();
    await accessible();
  });

  it("says why a wrong key was refused, where the encoder is waited for", async () => {
    const wrong = publish(`${server}/sk_wrongwrongwrongwrongwrong`);
    expect(await exited(wrong.child)).not.toBe(0);
    await tab.getByText("An encoder was refused").waitFor({ timeout: 30_000 });
  });

  it("turns green within two seconds of media", async () => {
    encoder = publish(`${server}/${key}`).child;
    await tab.getByText("Your encoder connected").waitFor({ timeout: 30_000 });
    await tab.getByRole("heading", { name: "You are live" }).waitFor({ timeout: 30_000 });
    await shot("setup");
  });

  it("plays on the stream page, with its codec and numbers", async () => {
    await tab.getByRole("link", { name: "Open match-day" }).click();
    await tab.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 0, undefined, { timeout: 30_000 });
    const before = await tab.evaluate(() => document.querySelector("video")?.currentTime ?? 0);
    await tab.waitForFunction((t) => (document.querySelector("video")?.currentTime ?? 0) > t + 2, before, { timeout: 30_000 });
    await tab.getByText("H.264", { exact: false }).first().waitFor();
    await tab.getByText("640 × 360").first().waitFor();
    await tab.locator(".stats").getByText("25").waitFor({ timeout: 30_000 });
    await tab.locator(".uplot canvas").first().waitFor();
    await tab.waitForTimeout(1500);
    await shot("stream");
    await accessible();
  });

  it("plays over a websocket where HTTP-FLV does not get through", async () => {
    const other = await tab.context().newPage();
    await other.route(/\.flv/, (route) => route.abort());
    await other.goto(tab.url());
    await other.getByText("WebSocket-FLV").first().waitFor({ timeout: 30_000 });
    await other.waitForFunction(() => (document.querySelector("video")?.currentTime ?? 0) > 1, undefined, { timeout: 30_000 });
    await other.close();
  });

  it("lists the refusal with its checks", async () => {
    await tab.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Access" }).click();
    const row = tab.getByRole("row").filter({ hasText: "Publisher" });
    await row.first().hover();
    await row.first().getByRole("button", { name: /Explain/ }).click();
    await tab.locator(".drawer .checks li.stop").waitFor();
    await shot("access");
    await accessible();
    await tab.keyboard.press("Escape");
  });

  it("stays signed in over a reload and says what happened on the overview", async () => {
    await tab.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Overview" }).click();
    await tab.reload();
    await tab.getByRole("heading", { name: "Overview" }).waitFor();
    await tab.getByRole("link", { name: "match-day" }).first().waitFor();
    await tab.waitForTimeout(6000);
    await shot("overview");
    await accessible();
  });

  it("kicks the publisher; ffmpeg ends; the timeline says why", async () => {
    await tab.getByRole("link", { name: "match-day" }).first().click();
    await tab.getByRole("button", { name: "Kick publisher" }).click();
    await tab.getByLabel("Reason").fill("wrong programme");
    await tab.getByRole("dialog").getByRole("button", { name: "Kick publisher" }).click();
    if (!encoder) throw new Error("nothing was published");
    await exited(encoder);
    await tab.locator(".timeline").getByText("wrong programme").first().waitFor({ timeout: 30_000 });
    await shot("kicked");
    await tab.goto(`${new URL(tab.url()).origin}/sessions?show=ended`);
    await tab.getByText("wrong programme").first().waitFor({ timeout: 30_000 });
    await accessible();
  });

  it("shows every other screen without a fault", async () => {
    for (const path of ["/streams", "/streams?view=table", "/sessions", "/sessions?show=events", "/keys", "/users", "/audit", "/system"]) {
      await tab.goto(new URL(path, tab.url()).href);
      await tab.locator("main h1").waitFor();
      await tab.waitForTimeout(500);
      await shot(path.replace(/\W+/g, "-"));
      await accessible();
    }
  });

  it("changes how a vhost treats its streams, with the keyboard alone", async () => {
    await tab.goto(new URL("/access", tab.url()).href);
    await tab.getByRole("button", { name: "Change the policies of default" }).focus();
    await tab.keyboard.press("Enter");
    const habits = tab.getByLabel("Habits");
    await habits.focus();
    await tab.keyboard.type("SRS");
    await tab.getByLabel("Writes, at the latest").fill("5000");
    await tab.getByRole("button", { name: "Save" }).focus();
    await tab.keyboard.press("Enter");
    expect(await tab.getByLabel("Writes, at the latest").evaluate((e: HTMLInputElement) => e.validity.rangeOverflow)).toBe(true);
    await tab.getByLabel("Writes, at the latest").fill("8");
    await accessible();
    await shot("settings");
    await tab.keyboard.press("Enter");
    await tab.getByText("The policies of default are changed.").waitFor();
    await tab.getByText("SRS 2.0").waitFor();
    await tab.getByText("At 8 messages").waitFor();
  });

  it("signs out, and back in", async () => {
    await tab.getByRole("button", { name: "Sign out" }).click();
    await tab.getByLabel("E-mail").fill(admin.email);
    await tab.getByLabel("Password", { exact: true }).fill("not the password");
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByText("do not match").waitFor();
    await tab.getByLabel("Password", { exact: true }).fill(admin.password);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByRole("navigation", { name: "Main", exact: true }).waitFor();
  });

  it("says nothing in the console and no secret in the log", () => {
    expect(complaints).toEqual([]);
    expect(penstock.log()).not.toContain(key);
    expect(penstock.log()).not.toContain(admin.password);
  });
});
