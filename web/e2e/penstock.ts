import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const binary = process.env["PENSTOCK_BIN"] ?? "";
export const hasBinary = binary !== "" && existsSync(binary);

export interface Penstock {
  rtmp: string;
  http: string;
  setup: string;
  log: () => string;
  stop: () => Promise<void>;
}

/** Runs the real program on free ports with a fresh database, until it has said where it listens. */
export async function startPenstock(): Promise<Penstock> {
  const dir = mkdtempSync(join(tmpdir(), "penstock-e2e-"));
  const child = spawn(binary, ["serve", "--data-dir", dir, "--rtmp", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-format", "json", "--drain", "1s"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  let rest = ""; // of a line that has not come whole
  let setup = ""; // has a line of its own, before
  const started = new Promise<{ rtmp: string; http: string }>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const said = JSON.parse(line) as { msg: string; rtmp: string; http: string; setup?: string };
        if (said.setup) setup = said.setup;
        if (said.msg === "started") resolve(said);
      }
    });
    child.on("exit", () => reject(new Error(`penstock ended:\n${log}`)));
    setTimeout(() => reject(new Error(`penstock does not start:\n${log}`)), 60_000);
  });
  const stop = async () => {
    await end(child);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const { rtmp, http } = await started;
    return { rtmp, http, setup, log: () => log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = exited(child);
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(timer);
}

export function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once("exit", resolve));
}

/** Publishes a test picture with a tone, in real time, until it is ended. */
export function publish(url: string): { child: ChildProcess; said: () => string } {
  const input = ["-re", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25", "-re", "-f", "lavfi", "-i", "sine=r=44100"];
  const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "50", "-b:v", "800k", "-c:a", "aac"];
  const child = spawn("ffmpeg", ["-v", "error", "-nostdin", ...input, ...codecs, "-f", "flv", url], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}
