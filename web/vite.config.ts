import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = process.env["PENSTOCK_DEV"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2023",
    sourcemap: false,
    modulePreload: { polyfill: false },
    // A data: style sheet or script would be refused by the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
  },
  server: {
    proxy: {
      "^/(api|docs|healthz|readyz|metrics)": { target: backend, ws: true },
      "\\.flv": { target: backend, ws: true },
    },
  },
  test: { environment: "node", include: ["src/**/*.test.ts"], pool: "threads", maxWorkers: 1 },
});
