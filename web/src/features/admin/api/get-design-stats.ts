/** designs: how many there are, and how many of them are new. Counted by the database: there may be very many. */
import { useQuery } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";
import { weekAgo } from "../stats";

interface DesignStats {
  total: number;
  printable: number;
  newThisWeek: number;
}

async function getDesignStats(): Promise<DesignStats> {
  const supabase = await getSupabase();
  const designs = () => supabase.from("designs").select("id", { count: "exact", head: true });
  const [all, printable, fresh] = await Promise.all([
    designs(),
    designs().not("printify_product_id", "is", null),
    designs().gte("created_at", weekAgo(new Date()).toISOString()),
  ]);
  for (const answer of [all, printable, fresh]) unwrap(answer);
  return {
    total: all.count ?? 0,
    printable: printable.count ?? 0,
    newThisWeek: fresh.count ?? 0,
  };
}

export function useDesignStats() {
  return useQuery({ queryKey: ["admin", "design-stats"], queryFn: getDesignStats });
}
