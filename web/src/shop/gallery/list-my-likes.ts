/**
 * design_likes: which of the shown designs the signed-in visitor likes, page by page. All of one's likes may be
 * thousands.
 */
import { queryOptions, useQueries } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const FRESH_MS = 60_000;

async function listMyLikes(userId: string, designIds: string[]): Promise<ReadonlySet<string>> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_likes")
    .select("design_id")
    .eq("user_id", userId)
    .in("design_id", designIds);
  const rows = z.parse(z.array(z.object({ design_id: z.string() })), unwrap(response));
  return new Set(rows.map((row) => row.design_id));
}

/** The first part of the key of each page's likes. */
export function myLikesKey(userId: string) {
  return ["my-likes", userId];
}

function myLikesQuery(userId: string, designIds: string[]) {
  return queryOptions({
    queryKey: [...myLikesKey(userId), designIds],
    queryFn: () => listMyLikes(userId, designIds),
    staleTime: FRESH_MS,
  });
}

export function useMyLikes(userId: string | undefined, pages: string[][]): ReadonlySet<string> {
  return useQueries({
    queries: userId
      ? pages.filter((ids) => ids.length > 0).map((ids) => myLikesQuery(userId, ids))
      : [],
    combine: (results) => new Set(results.flatMap(({ data }) => [...(data ?? [])])),
  });
}
