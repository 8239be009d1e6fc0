/** rpc has_password: whether the account has a password, or came by Google or a mail alone. */
import { queryOptions } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

export function hasPasswordQuery(userId: string) {
  return queryOptions({
    queryKey: ["has-password", userId],
    queryFn: async () => {
      const supabase = await getSupabase();
      return unwrap(await supabase.rpc("has_password")) === true;
    },
  });
}
