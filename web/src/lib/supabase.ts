/** The one Supabase client. It is 54 kB, so it arrives with the first request, not with the page. */
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "@/types/database";
import { type Env, getEnv } from "./env";

export type Supabase = SupabaseClient<Database>;

export const SESSION_STORAGE_KEY = "teesmith-session";

let client: Promise<Supabase> | undefined;

async function connect(): Promise<Supabase> {
  const { createClient } = await import("@supabase/supabase-js");
  const env = getEnv();
  return createClient<Database>(env.SUPABASE_URL, env.SUPABASE_KEY, {
    auth: { flowType: "pkce", storageKey: SESSION_STORAGE_KEY },
    global: { fetch: fetchFor(env) },
  });
}

/** Functions may have an address of their own, for which the client has no setting: their calls go there instead. */
function fetchFor({ SUPABASE_URL, FUNCTIONS_URL }: Env): typeof fetch {
  const gateway = `${SUPABASE_URL}/functions/v1/`;
  return (input, init) =>
    FUNCTIONS_URL && typeof input === "string" && input.startsWith(gateway)
      ? fetch(`${FUNCTIONS_URL}/${input.slice(gateway.length)}`, init)
      : fetch(input, init);
}

export function getSupabase(): Promise<Supabase> {
  client ??= connect().catch((error: unknown) => {
    // A chunk that failed to load must not fail every later request too.
    client = undefined;
    throw error;
  });
  return client;
}
