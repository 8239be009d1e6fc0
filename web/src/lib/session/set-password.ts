/** A new password for the signed-in account; its sessions elsewhere end. */
import { useMutation } from "@tanstack/react-query";
import { toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

async function setPassword(password: string): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.updateUser({ password });
  if (error) throw toServiceError(error);
}

export function useSetPassword() {
  return useMutation({ mutationFn: setPassword });
}
