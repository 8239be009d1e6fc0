/** list-print-files: the file of each side that an order has printed, and how large it is on each size bought. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { ADMIN_KEY } from "../admin-key";

const schema = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      side: z.enum(["front", "back"]),
      address: z.nullable(z.string()),
      sizes: z.array(z.object({ shirt: z.string(), width_cm: z.number(), height_cm: z.number() })),
    }),
  ),
});

export type PrintFile = z.infer<typeof schema>["files"][number];

export function usePrintFiles(orderId: string) {
  return useQuery({
    queryKey: [...ADMIN_KEY, "print-files", orderId],
    queryFn: async ({ signal }) => {
      const body = { order_id: orderId };
      const found = await invokeFunction({
        slug: "list-print-files",
        body,
        schema,
        signal,
        reads: true,
      });
      return found.files;
    },
    // the addresses end after ten minutes
    staleTime: 5 * 60_000,
  });
}
