/**
 * Fills the page's `teesmith-env` block, and the shop's address where link previews need it whole: from
 * process.env under `vite dev`, from VITE_* when a static host builds. A plain build leaves `{}` and the word
 * SITE_URL in place, and web/serve.py fills them at serve time, so that one build serves any ports.
 */
import type { Plugin } from "vite";

const NAMES = [
  "SUPABASE_URL",
  "SUPABASE_READ_URL",
  "SUPABASE_KEY",
  "FUNCTIONS_URL",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_JS_URL",
  "MOCKUP_BASE_URL",
  "SITE_URL",
  "PROMO_ENDS_AT",
] as const;

type Environment = Record<string, string | undefined>;

/** The local stack's address and public key, as the Supabase CLI prints them: nothing secret. */
const LOCAL_URL = "http://127.0.0.1:54321";
const LOCAL_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH";

function fromProcess(env: Environment): Record<string, string> {
  const values: Environment = {
    ...env,
    SUPABASE_URL: env.SUPABASE_PUBLIC_URL ?? env.SUPABASE_URL ?? LOCAL_URL,
    SUPABASE_KEY:
      env.SUPABASE_KEY ?? env.SUPABASE_PUBLISHABLE_KEY ?? env.SUPABASE_ANON_KEY ?? LOCAL_KEY,
  };
  return pick((name) => values[name]);
}

function fromVite(env: Environment): Record<string, string> {
  return pick((name) => env[`VITE_${name}`]);
}

function pick(read: (name: string) => string | undefined): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const name of NAMES) {
    const value = read(name);
    if (value) variables[name] = value;
  }
  return variables;
}

export function teesmithEnv(): Plugin {
  let serving = false;
  return {
    name: "teesmith-env",
    configResolved(config) {
      serving = config.command === "serve";
    },
    transformIndexHtml(html) {
      const values = serving ? fromProcess(process.env) : fromVite(process.env);
      const json = JSON.stringify(values).replaceAll("<", "\\u003c");
      const filled = html.replace(
        /(<script[^>]*id="teesmith-env"[^>]*>)\{\}/,
        (_all, tag) => tag + json,
      );
      return values.SITE_URL
        ? filled.replaceAll('content="SITE_URL/', `content="${encodeURI(values.SITE_URL)}/`)
        : filled;
    },
  };
}
