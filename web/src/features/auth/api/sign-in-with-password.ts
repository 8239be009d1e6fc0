import { useMutation } from "@tanstack/react-query";
import { toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import type { Credentials } from "./sign-up";

async function signInWithPassword(credentials: Credentials): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.signInWithPassword(credentials);
  if (error) throw toServiceError(error);
}

export function useSignInWithPassword() {
  return useMutation({ mutationFn: signInWithPassword });
}
