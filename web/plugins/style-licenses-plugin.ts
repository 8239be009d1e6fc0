/**
 * Adds the licences of imported styles and fonts to the file that `build.license` writes: Vite lists the packages of
 * scripts only, and the fonts' licence (SIL OFL) goes with every copy of them.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const PACKAGE_IMPORT = /@import "((?:@[\w-]+\/)?\w[\w-]*)/g;
const PACKAGES = new URL("../../node_modules/", import.meta.url);

function licenseOf(name: string): string {
  const read = (file: string) => readFileSync(new URL(`${name}/${file}`, PACKAGES), "utf8");
  const { version, license } = JSON.parse(read("package.json"));
  return `\n## ${name} - ${version} (${license})\n\n${read("LICENSE").trim()}\n`;
}

export function styleLicenses(stylesheet: string, fileName: string): Plugin {
  return {
    name: "teesmith-style-licenses",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const list = bundle[fileName];
        if (list?.type !== "asset") throw new Error(`${fileName} is not in the bundle.`);
        const imported = readFileSync(stylesheet, "utf8").matchAll(PACKAGE_IMPORT);
        list.source += [...imported].map(([, name]) => licenseOf(name ?? "")).join("");
      },
    },
  };
}
