/** rpc list_flagged_orders: orders that need a person, longest waiting first, and how many there are. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { ADMIN_KEY } from "../admin-key";
import { LIST_LIMIT } from "../limits";

const schema = z.object({
  /** 1,000 means that many or more. */
  total: z.int(),
  orders: z.array(
    z.object({
      id: z.string(),
      since: z.string(),
      status: z.string(),
      total: z.coerce.number<number | string>(),
      customer: z.string(),
      reasons: z.array(z.string()),
    }),
  ),
});

type FlaggedOrders = z.infer<typeof schema>;
export type FlaggedOrder = FlaggedOrders["orders"][number];

async function listFlaggedOrders(most: number): Promise<FlaggedOrders> {
  const supabase = await getSupabase();
  return z.parse(schema, unwrap(await supabase.rpc("list_flagged_orders", { most })));
}

export function useFlaggedOrders(most = LIST_LIMIT) {
  return useQuery({
    queryKey: [...ADMIN_KEY, "flagged-orders", most],
    queryFn: () => listFlaggedOrders(most),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
  });
}
