import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  cacheDir: "../../node_modules/.cache/vite-studio",
  plugins: [react(), tailwindcss()],
  build: {
    // Into localbase's distribution, which serves them.
    outDir: "../localbase/studio/pages",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    license: { fileName: "licenses.txt" },
  },
  test: {
    environment: "jsdom",
    isolate: false,
    setupFiles: ["src/setup-tests.ts"],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
