/**
 * Mails with a link and a code: to confirm an address (/resend), to choose a new password (/recover). The answer is the
 * same whether the address has an account or not.
 */
import { useMutation } from "@tanstack/react-query";
import { ServiceError, toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

export type MailKind = "signup" | "recovery";

/** Auth's default pause between two mails to one address; its settings endpoint does not include it. */
export const PAUSE_SECONDS = 60;

interface AskedMail {
  kind: MailKind;
  email: string;
  /** The query that the link to a new password comes back with. */
  search: string;
}

/** How many seconds to wait before the next. */
async function sendMail({ kind, email, search }: AskedMail): Promise<number> {
  const supabase = await getSupabase();
  const { error } =
    kind === "signup"
      ? await supabase.auth.resend({
          type: "signup",
          email,
          options: { emailRedirectTo: `${location.origin}/auth` },
        })
      : await supabase.auth.resetPasswordForEmail(email, {
          redirectTo: `${location.origin}/auth/reset-password${search}`,
        });
  if (!error) return PAUSE_SECONDS;
  // Only an address with an account meets this limit: report success, or the page reveals that the account exists.
  const pause = error.code === "over_email_send_rate_limit" && /(\d+) second/.exec(error.message);
  if (pause) return Math.max(PAUSE_SECONDS, Number(pause[1]));
  if (error.status === 429) {
    throw new ServiceError(
      "Too many mails were asked for. Please try again later.",
      error.code,
      429,
    );
  }
  throw toServiceError(error);
}

export function useSendMail() {
  return useMutation({ mutationFn: sendMail });
}
