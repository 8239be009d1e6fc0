import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { teesmithEnv } from "./build/env-plugin";
import { precompress } from "./build/precompress-plugin";
import { preloadFonts } from "./build/preload-fonts-plugin";

const here = fileURLToPath(new URL(".", import.meta.url));
const port = Number(new URL(process.env.SITE_URL ?? "http://127.0.0.1:3000").port || 3000);

export default defineConfig({
  root: here,
  plugins: [react(), tailwindcss(), teesmithEnv(), preloadFonts(), precompress()],
  resolve: { alias: { "@": `${here}src` } },
  server: { host: "127.0.0.1", port, strictPort: true },
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
});
