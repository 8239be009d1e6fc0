/** design_likes: which designs the signed-in visitor likes. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

const FRESH_MS = 60_000;
const NONE: ReadonlySet<string> = new Set();

async function listMyLikes(userId: string): Promise<ReadonlySet<string>> {
  const supabase = await getSupabase();
  const answer = await supabase.from("design_likes").select("design_id").eq("user_id", userId);
  const rows = z.parse(z.array(z.object({ design_id: z.string() })), unwrap(answer));
  return new Set(rows.map((row) => row.design_id));
}

export function myLikesQuery(userId: string) {
  return queryOptions({
    queryKey: ["my-likes", userId],
    queryFn: () => listMyLikes(userId),
    staleTime: FRESH_MS,
  });
}

export function useMyLikes(userId: string | undefined): ReadonlySet<string> {
  const likes = useQuery({ ...myLikesQuery(userId ?? ""), enabled: userId !== undefined });
  return userId ? (likes.data ?? NONE) : NONE;
}
