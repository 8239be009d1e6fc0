/**
 * The Data API for what every visitor may read. Without a session its client alone (5 kB) does, so that public pages
 * need not wait for the whole Supabase client (54 kB).
 */

import { getEnv } from "@/lib/env";
import { mayHaveSession } from "@/lib/session/may-have-session";
import { getSupabase, type Supabase } from "./client";
import { earlyFetch } from "./early-request";

export type DataApi = Pick<Supabase, "from" | "rpc">;

export async function getDataApi(): Promise<DataApi> {
  return mayHaveSession() ? getSupabase() : visitorApi(earlyFetch);
}

/**
 * The same for the gallery, whose visitors may be shown what was public a moment ago: SUPABASE_READ_URL, where there is one,
 * answers them. Who is signed in expects their own changes at once, and a link that was just made has to open.
 */
export async function getGalleryApi(): Promise<DataApi> {
  return mayHaveSession() ? getSupabase() : visitorApi(fetchFromReplica);
}

async function visitorApi(fetch: typeof earlyFetch): Promise<DataApi> {
  const { PostgrestClient } = await import("@supabase/postgrest-js");
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  const headers = { apikey: SUPABASE_KEY, Authorization: `Bearer ${SUPABASE_KEY}` };
  const client = new PostgrestClient(`${SUPABASE_URL}/rest/v1`, { headers, fetch, retry: false });
  return client as unknown as DataApi;
}

/** What may change something goes to the database itself: a replica would refuse it. */
const fetchFromReplica: typeof fetch = (input, init) => {
  const { SUPABASE_URL, SUPABASE_READ_URL } = getEnv();
  const reads = ["GET", "HEAD"].includes(init?.method ?? "GET");
  const address = String(input);
  return SUPABASE_READ_URL && reads
    ? earlyFetch(SUPABASE_READ_URL + address.slice(SUPABASE_URL.length), init)
    : earlyFetch(address, init);
};
