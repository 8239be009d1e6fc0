/** The one Supabase client. It is 54 kB, so it arrives with the first request, not with the page. */
import type { SupabaseClient } from "@supabase/supabase-js";
import { type Env, getEnv } from "@/lib/env";
import type { Database } from "@/types/database";

export type Supabase = SupabaseClient<Database>;

export const SESSION_STORAGE_KEY = "teesmith-session";

let client: Promise<Supabase> | undefined;

async function connect(): Promise<Supabase> {
  const { createClient } = await import("@supabase/supabase-js");
  const env = getEnv();
  return createClient<Database>(env.SUPABASE_URL, env.SUPABASE_KEY, {
    auth: { flowType: "pkce", storageKey: SESSION_STORAGE_KEY },
    // The query layer retries; both together would make nine requests of one.
    db: { retry: false },
    global: { fetch: fetchFor(env) },
  });
}

/** Functions may have an address of their own, for which the client has no setting: their calls go there instead. */
function fetchFor({ SUPABASE_URL, FUNCTIONS_URL }: Env): typeof fetch {
  const gateway = `${SUPABASE_URL}/functions/v1/`;
  return async (input, init) => {
    const isAuth = typeof input === "string" && input.startsWith(`${SUPABASE_URL}/auth/`);
    const address =
      FUNCTIONS_URL && typeof input === "string" && input.startsWith(gateway)
        ? `${FUNCTIONS_URL}/${input.slice(gateway.length)}`
        : input;
    const response = await fetch(address, init);
    if (response.status !== 401 || isAuth) return response;
    const headers = new Headers(init?.headers);
    const token = await tokenInsteadOf(headers.get("authorization")?.slice("Bearer ".length));
    if (!token) return response;
    headers.set("authorization", `Bearer ${token}`);
    return fetch(address, { ...init, headers });
  };
}

/**
 * The session's token after a service did not accept this one: a clock may be wrong, or keys have changed. Where Auth gives
 * no other, the session was revoked, and ends here too.
 */
async function tokenInsteadOf(refused: string | undefined): Promise<string | undefined> {
  const { auth } = await getSupabase();
  const { data } = await auth.getSession();
  if (!data.session) return undefined;
  if (data.session.access_token !== refused) return data.session.access_token;
  const renewed = await auth.refreshSession();
  if (renewed.data.session) return renewed.data.session.access_token;
  const isAway = renewed.error?.name === "AuthRetryableFetchError";
  if (!isAway) await auth.signOut({ scope: "local" });
  return undefined;
}

export function getSupabase(): Promise<Supabase> {
  client ??= connect().catch((error: unknown) => {
    // A chunk that failed to load must not fail every later request too.
    client = undefined;
    throw error;
  });
  return client;
}
