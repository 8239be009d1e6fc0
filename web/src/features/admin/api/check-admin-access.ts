/** check-admin-access: whether the server lets this visitor open the admin page. The list of addresses stays there. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";

const schema = z.object({ allowed: z.boolean() });

export function useAdminAccess(userId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["admin-access", userId],
    queryFn: ({ signal }) =>
      invokeFunction({ slug: "check-admin-access", body: {}, schema, signal, reads: true }),
    enabled,
  });
}
