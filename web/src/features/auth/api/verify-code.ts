/** The code of a mail, typed in: signs in, in whichever browser it is typed. */
import { useMutation } from "@tanstack/react-query";
import { ServiceError, toServiceError } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import type { MailKind } from "./send-mail";

interface TypedCode {
  kind: MailKind;
  email: string;
  code: string;
}

const TYPES = { signup: "email", recovery: "recovery" } as const;

async function verifyCode({ kind, email, code }: TypedCode): Promise<void> {
  const supabase = await getSupabase();
  const { error } = await supabase.auth.verifyOtp({ type: TYPES[kind], email, token: code });
  if (!error) return;
  if (error.code === "otp_expired") {
    throw new ServiceError(
      "This code is wrong, used or too old. The newest mail has the one that counts.",
      error.code,
      error.status,
    );
  }
  throw toServiceError(error);
}

export function useVerifyCode() {
  return useMutation({ mutationFn: verifyCode });
}
