/** Writes a .br and a .gz beside every asset that they make smaller, so that the server never compresses one itself. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const LOOSE = /\.(js|css|svg|json|txt|webmanifest|ttf|wasm)$/;
const WORTH_IT = 1024;

export function precompress(): Plugin {
  let folder = "";
  return {
    name: "teesmith-precompress",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        if (!LOOSE.test(name)) continue;
        const path = join(folder, name);
        const body = readFileSync(path);
        if (body.length < WORTH_IT) continue;
        const brotli = brotliCompressSync(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
        });
        writeFileSync(`${path}.br`, brotli);
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
      }
    },
  };
}
