/** export-account: a ZIP of everything that the shop has of the person. */
import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const exportAccount = () =>
  invokeFunction({
    slug: "export-account",
    body: {},
    schema: z.instanceof(Blob),
    reads: true,
    fallback: "Your data could not be collected.",
  });

export function useExportAccount() {
  return useMutation({ mutationFn: exportAccount });
}
