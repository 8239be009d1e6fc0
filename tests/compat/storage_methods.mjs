// Every public method of the installed @supabase/storage-js, one a line: `createBucket`, `from.upload`. What its TypeScript
// declarations call private or protected is no part of it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const { StorageClient } = require("@supabase/storage-js");
const declared = readFileSync(join(dirname(require.resolve("@supabase/storage-js")), "index.d.cts"), "utf8");
const hidden = new Set([...declared.matchAll(/^ +(?:private|protected) (\w+)/gm)].map((match) => match[1]));

function methodsOf(object, prefix) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (typeof object[name] === "function" && name !== "constructor" && !name.startsWith("_")) names.add(name);
    }
  }
  // The function that it was made with, not a method.
  names.delete("fetch");
  return [...names].filter((name) => !hidden.has(name)).map((name) => prefix + name);
}

const client = new StorageClient("http://127.0.0.1:1", {});
process.stdout.write([...methodsOf(client, ""), ...methodsOf(client.from("x"), "from.")].sort().join("\n"));
