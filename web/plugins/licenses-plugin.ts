/**
 * Adds licences to the file that `build.license` writes, which lists the packages of scripts only: those of imported
 * styles and fonts, for the fonts' licence (SIL OFL) goes with every copy of them, and those of data in the scripts.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Plugin } from "vite";

const PACKAGE_IMPORT = /@import "((?:@[\w-]+\/)?\w[\w-]*)/g;
const PACKAGES = new URL("../../node_modules/", import.meta.url);
const ADDRESS_DATA = new URL("../src/features/checkout/address/data/", import.meta.url);
const DATA: readonly (readonly [string, URL])[] = [
  [
    "libphonenumber - numbering plans (Apache-2.0)",
    new URL("libphonenumber-js/LICENSE.Apache", PACKAGES),
  ],
  ["libaddressinput - address data (CC-BY-4.0)", new URL("rules.LICENSE", ADDRESS_DATA)],
  ["anyascii - letters of other scripts (ISC)", new URL("letters.LICENSE", ADDRESS_DATA)],
];

const FACES = new URL("../../functions/_shared/scene/faces/", import.meta.url);

function section(title: string, file: URL): string {
  return `\n## ${title}\n\n${readFileSync(file, "utf8").trim()}\n`;
}

function licenseOf(name: string): string {
  const { version, license } = JSON.parse(
    readFileSync(new URL(`${name}/package.json`, PACKAGES), "utf8"),
  );
  return section(`${name} - ${version} (${license})`, new URL(`${name}/LICENSE`, PACKAGES));
}

/** Those of lettering's faces, which /adjust loads. */
function faceLicenses(): string[] {
  return readdirSync(FACES)
    .filter((name) => name.endsWith(".LICENSE"))
    .sort()
    .map((name) =>
      section(`${name.replace(".LICENSE", "")} - face (OFL-1.1)`, new URL(name, FACES)),
    );
}

export function addLicenses(stylesheet: string, fileName: string): Plugin {
  return {
    name: "teesmith-licenses",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const list = bundle[fileName];
        if (list?.type !== "asset") throw new Error(`${fileName} is not in the bundle.`);
        const imported = readFileSync(stylesheet, "utf8").matchAll(PACKAGE_IMPORT);
        const more = [
          ...[...imported].map(([, name]) => licenseOf(name ?? "")),
          ...DATA.map(([title, file]) => section(title, file)),
          ...faceLicenses(),
        ];
        list.source += more.join("");
      },
    },
  };
}
