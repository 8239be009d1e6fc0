/** delete-account: ends the account for good, proved by its password or by a mailed code. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

type Proof = { password: string } | { code: string };

const schema = z.object({ success: z.literal(true) });

async function deleteAccount(proof: Proof): Promise<void> {
  await invokeFunction({
    slug: "delete-account",
    body: proof,
    schema,
    fallback: "Your account could not be deleted.",
  });
}

export function useDeleteAccount() {
  return useMutation({ mutationFn: deleteAccount });
}
