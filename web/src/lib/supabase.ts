/** The one Supabase client. It is 54 kB, so it arrives with the first request, not with the page. */
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "@/types/database";
import { getEnv } from "./env";

export type Supabase = SupabaseClient<Database>;

export const SESSION_STORAGE_KEY = "teesmith-session";

let client: Promise<Supabase> | undefined;

async function connect(): Promise<Supabase> {
  const { createClient } = await import("@supabase/supabase-js");
  const env = getEnv();
  return createClient<Database>(env.SUPABASE_URL, env.SUPABASE_KEY, {
    auth: { flowType: "pkce", storageKey: SESSION_STORAGE_KEY },
  });
}

export function getSupabase(): Promise<Supabase> {
  client ??= connect().catch((error: unknown) => {
    // A chunk that failed to load must not fail every later request too.
    client = undefined;
    throw error;
  });
  return client;
}
