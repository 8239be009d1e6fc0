/** profiles: grants a user the admin role, or revokes it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ServiceError, unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ANALYTICS_KEY } from "./get-user-analytics";

async function setAdmin({ userId, isAdmin }: { userId: string; isAdmin: boolean }): Promise<void> {
  const supabase = await getSupabase();
  const rows = unwrap(
    await supabase.from("profiles").update({ is_admin: isAdmin }).eq("id", userId).select("id"),
  );
  // Policies show the row to admins only: an update of no row means that it was rejected.
  if (!rows?.length)
    throw new ServiceError("Your account may not change roles.", "not_allowed", 403);
}

export function useSetAdmin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setAdmin,
    onSuccess: () => client.invalidateQueries({ queryKey: ANALYTICS_KEY }),
  });
}
