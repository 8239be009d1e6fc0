/** The project's own services, called as the service role. */
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { call, type Project } from "./calls";

let made: { key: string; client: SupabaseClient } | null = null;

/** One client for a project: each has a socket and a lock of its own. */
function clientOf(project: Project): SupabaseClient {
  const key = `${project.api_url} ${project.service_role_key}`;
  if (made?.key !== key) {
    const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
    made = { key, client: createClient(project.api_url, project.service_role_key, { auth }) };
  }
  return made.client;
}

export function useProject() {
  return useQuery({ queryKey: ["project"], queryFn: () => call("project") });
}

export async function service(): Promise<SupabaseClient> {
  return clientOf(await call("project"));
}

/** The data that a call of the client responds with; throws its error. */
export async function dataOf<Result extends { data: unknown; error: Error | null }>(
  request: PromiseLike<Result>,
): Promise<Extract<Result, { error: null }>["data"]> {
  const { data, error } = await request;
  if (error) throw error;
  return data;
}
