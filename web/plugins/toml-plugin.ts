/** Imports of shop.toml: each of its tables is an export, so that a page carries only the ones it reads. */
import { parse } from "smol-toml";
import type { Plugin } from "vite";

export function tomlTables(): Plugin {
  return {
    name: "toml-tables",
    transform(code, id) {
      if (!id.endsWith(".toml")) return null;
      const tables = Object.entries(parse(code));
      const exports = tables.map(
        ([name, table]) => `export const ${name} = ${JSON.stringify(table)};`,
      );
      return { code: exports.join("\n"), map: null };
    },
  };
}
