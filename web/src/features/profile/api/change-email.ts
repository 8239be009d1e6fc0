/** A new address for the account: Auth mails both addresses, and changes it once both have confirmed. */
import { useMutation } from "@tanstack/react-query";
import { toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { EMAIL_RETURN } from "../email-return";

async function changeEmail(email: string): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.updateUser(
    { email },
    { emailRedirectTo: `${location.origin}${EMAIL_RETURN}` },
  );
  if (error) throw toServiceError(error);
}

export function useChangeEmail() {
  return useMutation({ mutationFn: changeEmail });
}
