/** Sign up by email and password; the verification link comes back to /auth. */
import { useMutation } from "@tanstack/react-query";
import { toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

export interface Credentials {
  email: string;
  password: string;
}

/** Whether the visitor is signed in at once, or has to follow the link in the mail first. */
async function signUp(credentials: Credentials): Promise<{ needsVerification: boolean }> {
  const supabase = await getSupabase();
  const { data, error } = await supabase.auth.signUp({
    ...credentials,
    options: { emailRedirectTo: `${location.origin}/auth` },
  });
  if (error) throw toServiceError(error);
  return { needsVerification: data.session === null };
}

export function useSignUp() {
  return useMutation({ mutationFn: signUp });
}
