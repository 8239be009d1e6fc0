// Every public method of the installed @supabase/auth-js, one a line: `signUp`, `admin.createUser`, `mfa.webauthn.enroll`.
// What its TypeScript declarations call private or protected is no part of it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const { GoTrueClient } = require("@supabase/auth-js");
const folder = dirname(require.resolve("@supabase/auth-js"));

function hiddenIn(file) {
  const declared = readFileSync(join(folder, file), "utf8");
  const matches = declared.matchAll(/^ {4}(?:private|protected)(?: static)?(?: readonly)?(?: [gs]et)? (\w+)/gm);
  return new Set([...matches].map((match) => match[1]));
}

const hidden = {
  "": hiddenIn("GoTrueClient.d.ts"),
  "admin.": hiddenIn("GoTrueAdminApi.d.ts"),
  "mfa.webauthn.": hiddenIn("lib/webauthn.d.ts"),
};

function namesOf(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names].filter((name) => name !== "constructor" && !name.startsWith("_"));
}

function methodsOf(object, prefix) {
  return namesOf(object)
    .filter((name) => !hidden[prefix]?.has(name))
    .flatMap((name) => {
      const value = object[name];
      if (typeof value === "function") return [prefix + name];
      const isNamespace = value && typeof value === "object" && namesOf(value).some((inner) => typeof value[inner] === "function");
      return isNamespace ? methodsOf(value, `${prefix}${name}.`) : [];
    });
}

const client = new GoTrueClient({ url: "http://127.0.0.1:1", persistSession: false, autoRefreshToken: false });
process.stdout.write(methodsOf(client, "").sort().join("\n"));
