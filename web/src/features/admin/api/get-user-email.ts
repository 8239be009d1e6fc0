/** rpc get_user_email: one account's address, for admins. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";

async function getUserEmail(userId: string): Promise<string> {
  const supabase = await getSupabase();
  const email = unwrap(await supabase.rpc("get_user_email", { of_user: userId }));
  return z.parse(z.nullable(z.string()), email) ?? "no e-mail address";
}

export function useUserEmail(userId: string, enabled: boolean) {
  return useQuery({
    queryKey: [...ADMIN_KEY, "email", userId],
    queryFn: () => getUserEmail(userId),
    enabled,
  });
}
