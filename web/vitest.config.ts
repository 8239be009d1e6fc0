import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { tomlTables } from "./plugins/toml-plugin";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  cacheDir: "../node_modules/.cache/vite-web",
  plugins: [react(), tomlTables()],
  resolve: { alias: { "@": `${here}src` } },
  test: {
    testTimeout: 60_000,
    environment: "jsdom",
    // One window and one set of modules for all files of a worker: made anew for each file they cost more processor
    // time than the tests. So a file must not replace a module (`vi.mock`), and leaves no state in one.
    isolate: false,
    maxWorkers: "100%",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    coverage: {
      // The client's logic: hooks, requests, rules. What a component draws is seen by the browser tests.
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.tsx", "src/**/*.test.ts", "src/testing/**", "src/types/**"],
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: `${here}../.localbase/coverage/web`,
    },
  },
});
