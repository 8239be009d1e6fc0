/** The key in a design's link whose owner has ended the bare one: `/design/{id}?key={key}`; and what ends every link. */
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

const text = z._default(z.nullable(z.string()), null);
const schema = z.nullable(z.object({ link_key: text, takedown_reason: text }));

export interface OwnLink {
  /** Null while the bare link opens the design. */
  linkKey: string | null;
  /** The shop has taken the design down: no link opens it. */
  isTakenDown: boolean;
}

/** link_key and takedown_reason: of one's own design. */
export async function findOwnLink(designId: string): Promise<OwnLink> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("designs")
    .select("link_key, takedown_reason")
    .eq("id", designId)
    .maybeSingle();
  const row = z.parse(schema, unwrap(response));
  return { linkKey: row?.link_key ?? null, isTakenDown: !!row?.takedown_reason };
}
