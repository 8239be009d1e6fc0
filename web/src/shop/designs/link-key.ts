/** The key in a design's link whose owner has ended the bare one: `/design/{id}?key={key}`. */
import { useSearchParams } from "react-router-dom";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

/** That of the page's own address; null where it has none. */
export function useLinkKey(): string | null {
  return useSearchParams()[0].get("key");
}

export function designPath(designId: string, key: string | null): string {
  return `/design/${designId}${key ? `?key=${encodeURIComponent(key)}` : ""}`;
}

const schema = z.nullable(z.object({ link_key: z._default(z.nullable(z.string()), null) }));

/** link_key: that of one's own design; null while the bare link opens it. */
export async function findLinkKey(designId: string): Promise<string | null> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("designs")
    .select("link_key")
    .eq("id", designId)
    .maybeSingle();
  return z.parse(schema, unwrap(response))?.link_key ?? null;
}
