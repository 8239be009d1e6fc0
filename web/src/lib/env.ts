/**
 * The page's settings, parsed once from the `teesmith-env` block that the server fills in.
 * A missing or malformed name stops the start with all of them named together.
 */
import * as z from "zod/mini";
import { settingsText } from "./settings-block";

const address = z.url({ protocol: /^https?$/, error: "must be an http(s) address" });
const withoutSlash = z.pipe(
  address,
  z.transform((url: string) => url.replace(/\/+$/, "")),
);

/** The print provider's own host. */
export const MOCKUP_BASE_URL = "https://images.printify.com";

const schema = z.object({
  SUPABASE_URL: withoutSlash,
  /** A copy of the database that visitors read the gallery from, such as a replica's address. */
  SUPABASE_READ_URL: z.optional(withoutSlash),
  SUPABASE_KEY: z.string().check(z.minLength(1)),
  /** Where the functions are, if not behind Supabase's gateway. */
  FUNCTIONS_URL: z.optional(withoutSlash),
  STRIPE_PUBLISHABLE_KEY: z.string().check(z.minLength(1)),
  STRIPE_JS_URL: z._default(address, "https://js.stripe.com/"),
  MOCKUP_BASE_URL: z._default(withoutSlash, MOCKUP_BASE_URL),
  SITE_URL: z.optional(withoutSlash),
});

export type Env = Readonly<z.infer<typeof schema>>;

export class SettingsError extends Error {
  override name = "SettingsError";
}

export function parseEnv(text: string | null | undefined): Env {
  const result = schema.safeParse(JSON.parse(text || "{}"));
  if (result.success) return Object.freeze(result.data);
  const names = result.error.issues.map((issue) => `${issue.path.join(".")} (${issue.message})`);
  throw new SettingsError(`The shop's settings are incomplete: ${names.join(", ")}.`);
}

let parsed: Env | undefined;

export function getEnv(): Env {
  parsed ??= parseEnv(settingsText());
  return parsed;
}

/** The build draws pages without any: it has addresses that must not stay in them. */
export function provideEnv(env: Env): void {
  parsed = env;
}
