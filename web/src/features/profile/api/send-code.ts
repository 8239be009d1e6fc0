/** A mail with a code, as for signing in: it proves that the person has the account's address. */
import { useMutation } from "@tanstack/react-query";
import { toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

async function sendCode(email: string): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.signInWithOtp({
    email,
    options: { shouldCreateUser: false, emailRedirectTo: `${location.origin}/profile` },
  });
  if (error) throw toServiceError(error);
}

export function useSendCode() {
  return useMutation({ mutationFn: sendCode });
}
