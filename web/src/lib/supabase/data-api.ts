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
  if (mayHaveSession()) return getSupabase();
  const { PostgrestClient } = await import("@supabase/postgrest-js");
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  const headers = { apikey: SUPABASE_KEY, Authorization: `Bearer ${SUPABASE_KEY}` };
  const client = new PostgrestClient(`${SUPABASE_URL}/rest/v1`, {
    headers,
    fetch: earlyFetch,
    retry: false,
  });
  return client as unknown as DataApi;
}
