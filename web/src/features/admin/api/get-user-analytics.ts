/** rpc get_user_analytics: one row a person, for admins. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { getSupabase } from "@/lib/supabase";
import { readAll } from "./read-all";

const number = z.coerce.number<number | string>();

const schema = z.array(
  z.object({
    user_id: z.string(),
    name: z.nullable(z.string()),
    username: z.nullable(z.string()),
    is_admin: z.pipe(
      z.nullable(z.boolean()),
      z.transform((flag: boolean | null) => flag === true),
    ),
    total_orders: number,
    total_spent: number,
    total_designs: number,
    total_sessions: number,
    avg_session_duration_minutes: number,
    last_login: z.nullable(z.string()),
    created_at: z.string(),
  }),
);

export type UserAnalytics = z.infer<typeof schema>[number];

const RETRIES = 2;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;

/** One second, two, four, … and never more than thirty. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
}

async function getUserAnalytics(): Promise<UserAnalytics[]> {
  const supabase = await getSupabase();
  const rows = await readAll((from, to) => supabase.rpc("get_user_analytics").range(from, to));
  return z.parse(schema, rows);
}

export const ANALYTICS_KEY = ["admin", "users"];

export function useUserAnalytics() {
  return useQuery({
    queryKey: ANALYTICS_KEY,
    queryFn: getUserAnalytics,
    retry: RETRIES,
    retryDelay,
  });
}
