import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

// Studio's pages go into localbase's distribution, which serves them.
export default defineConfig({
  root: `${here}studio`,
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": `${here}src` } },
  build: {
    outDir: `${here}../supabase/localbase/studio/pages`,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    license: { fileName: "licenses.txt" },
  },
});
