/** Leaves for Google's login page, and comes back to {origin}{redirect} or the dashboard. */
import { useMutation } from "@tanstack/react-query";
import { toServiceError } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

async function signInWithGoogle(path: string): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo: `${location.origin}${path}` },
  });
  if (error) throw toServiceError(error);
}

export function useSignInWithGoogle() {
  return useMutation({ mutationFn: signInWithGoogle });
}
