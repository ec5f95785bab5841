import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const types: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html; charset=utf-8" };

// The policy that web/handler.go sends, so that a screen that would be blocked there is blocked here.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; connect-src 'self' ws: wss:; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Thirty seconds of a test picture as FLV, when ffmpeg is at hand. */
function testPicture(): Buffer | null {
  const input = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=30", "-f", "lavfi", "-i", "sine=d=30"];
  const made = spawnSync("ffmpeg", ["-v", "error", ...input, "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "flv", "-"], { maxBuffer: 64 << 20 });
  return made.status === 0 ? made.stdout : null;
}

/** Serves the built dashboard without a backend. Every .flv is one test picture that does not end. */
export async function serveDist(): Promise<{ url: string; close: () => Promise<void> }> {
  const flv = testPicture();
  const server: Server = createServer((req, res) => {
    const path = new URL(req.url ?? "/", "http://x").pathname;
    if (path.endsWith(".flv")) {
      if (flv) res.writeHead(200, { "Content-Type": "video/x-flv" }).write(flv);
      else res.writeHead(404).end();
      return;
    }
    const file = /\.(js|css|svg)$/.test(path) ? path : "/index.html";
    readFile(dist + file).then(
      (body) => res.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/plain", "Content-Security-Policy": policy }).end(body),
      () => res.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
