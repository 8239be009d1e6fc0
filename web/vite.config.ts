import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkGroups } from "./plugins/chunks";
import { teesmithEnv } from "./plugins/env-plugin";
import { addLicenses } from "./plugins/licenses-plugin";
import { precompress } from "./plugins/precompress-plugin";
import { preloadFonts } from "./plugins/preload-fonts-plugin";
import { prerenderPages } from "./plugins/prerender-plugin";
import { tomlTables } from "./plugins/toml-plugin";

const here = fileURLToPath(new URL(".", import.meta.url));
// served with the shop: the licences of what its files are made of
const licenses = "licenses.txt";

export default defineConfig({
  root: here,
  cacheDir: "../node_modules/.cache/vite-web",
  plugins: [
    react(),
    tailwindcss(),
    teesmithEnv(),
    tomlTables(),
    preloadFonts(),
    addLicenses(`${here}src/app/styles/index.css`, licenses),
    prerenderPages(),
    precompress(),
  ],
  resolve: { alias: { "@": `${here}src` } },
  // beside the built shop, which has SITE_URL's port
  server: { host: "127.0.0.1", port: 5173, strictPort: true },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    license: { fileName: licenses },
    rolldownOptions: {
      input: { app: `${here}index.html`, static: `${here}src/static.tsx` },
      output: {
        codeSplitting: {
          groups: chunkGroups(here),
        },
      },
    },
  },
});
