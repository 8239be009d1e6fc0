/** rpc get_user_analytics: one row a person, for admins; the database sorts, chooses and searches. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";
import { LIST_LIMIT } from "../limits";
import type { Choice } from "../users/choice";

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

async function getUserAnalytics(choice: Choice): Promise<UserAnalytics[]> {
  const supabase = await getSupabase();
  const response = await supabase.rpc("get_user_analytics", { ...choice, page_size: LIST_LIMIT });
  return z.parse(schema, unwrap(response));
}

/** The first part of the key of all figures about users. */
export const ANALYTICS_KEY = [...ADMIN_KEY, "users"];

export function useUserAnalytics(choice: Choice) {
  return useQuery({
    queryKey: [...ANALYTICS_KEY, "list", choice],
    queryFn: () => getUserAnalytics(choice),
    placeholderData: keepPreviousData,
    retry: RETRIES,
    retryDelay,
  });
}
