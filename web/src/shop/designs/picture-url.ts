/**
 * Pictures that rows hold as addresses, for designs that everybody with the id may see: an <img> loads them early, in parallel
 * and from the browser's cache. The key is the public one, in the query because an <img> sends no headers.
 */
import { getEnv } from "@/lib/env";

type Picture = "design_thumbnail" | "design_picture";

/** `design_thumbnail`: JPEG, 256 px, of public designs. `design_picture`: the whole PNG, for everyone with the link. */
export function pictureUrl(
  picture: Picture,
  designId: string,
  linkKey: string | null = null,
): string {
  const { SUPABASE_URL, SUPABASE_KEY } = getEnv();
  const query = new URLSearchParams({ design: designId, apikey: SUPABASE_KEY });
  if (linkKey) query.set("key", linkKey);
  return `${SUPABASE_URL}/rest/v1/rpc/${picture}?${query}`;
}
