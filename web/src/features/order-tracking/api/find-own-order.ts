/** orders: whether this one is the signed-in person's own. */
import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

async function findOwnOrder(id: string, userId: string): Promise<boolean> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("orders")
    .select("id")
    .eq("id", id)
    .eq("user_id", userId)
    .maybeSingle();
  return unwrap(response) !== null;
}

export function useOwnOrder(id: string, userId: string | undefined) {
  return useQuery({
    queryKey: ["own-order", userId, id],
    queryFn: () => findOwnOrder(id, userId ?? ""),
    enabled: userId !== undefined,
  });
}
