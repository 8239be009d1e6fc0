/** Leaves for Google's login page, and comes back to {origin}{redirect} or the dashboard. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { getEnv } from "@/lib/env";
import { ServiceError, toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const settings = z.object({ external: z.object({ google: z.boolean() }) });

/**
 * Where Google is not set up, Auth answers the redirect with a page of JSON: read its settings first. If they cannot be
 * read, try the redirect.
 */
async function googleIsOff(): Promise<boolean> {
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  try {
    const response = await fetch(`${SUPABASE_URL}/auth/v1/settings`, {
      headers: { apikey: SUPABASE_KEY },
    });
    const parsed = z.safeParse(settings, await response.json());
    return parsed.success && !parsed.data.external.google;
  } catch {
    return false;
  }
}

async function signInWithGoogle(path: string): Promise<void> {
  if (await googleIsOff()) {
    throw new ServiceError(
      "Google sign-in is not switched on here yet. Please continue with your email.",
      "provider_disabled",
      undefined,
    );
  }
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
