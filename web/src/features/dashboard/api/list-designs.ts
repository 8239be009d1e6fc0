/**
 * designs: the visitor's own, newest first, seven a page with the exact count. The full picture stays behind:
 * a row needs its thumbnail only, and seven full pictures would weigh megabytes.
 */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { useLiveRows } from "@/lib/supabase/live-rows";
import { thumbnailAddresses } from "@/shop/designs/stored-pictures";
import { DESIGNS_KEY } from "@/shop/query-keys";

export const DESIGNS_PER_PAGE = 7;
/** From here on the rows before a page are counted off in the index alone. */
const DEEP = 350;

const publication = z.object({ id: z.string() });

const row = z.object({
  id: z.string(),
  name: z.string(),
  thumbnail_data: z.nullable(z.string()),
  thumbnail_url: z.nullable(z.string()),
  printify_product_id: z.nullable(z.string()),
  created_at: z.string(),
  link_key: z._default(z.nullable(z.string()), null),
  takedown_reason: z._default(z.nullable(z.string()), null),
  // One row or none; a unique key on design_id makes PostgREST embed an object instead of a list.
  public_designs: z.union([z.array(publication), z.nullable(publication)]),
});

export interface DesignRow {
  id: string;
  name: string;
  thumbnail: string | null;
  ready: boolean;
  createdAt: string;
  isPublic: boolean;
  /** Of the link in place of the bare one, which was ended. */
  linkKey: string | null;
  /** The shop has taken it down. */
  isTakenDown: boolean;
}

interface DesignPage {
  designs: DesignRow[];
  total: number;
}

function toDesign(raw: z.infer<typeof row>, address: string | null): DesignRow {
  const published = raw.public_designs;
  return {
    id: raw.id,
    name: raw.name,
    thumbnail: address ?? raw.thumbnail_data,
    ready: raw.printify_product_id !== null,
    createdAt: raw.created_at,
    isPublic: Array.isArray(published) ? published.length > 0 : published !== null,
    linkKey: raw.link_key,
    isTakenDown: raw.takedown_reason !== null,
  };
}

const COLUMNS =
  "id, name, thumbnail_data, thumbnail_url, printify_product_id, created_at, link_key, takedown_reason, public_designs(id)";

async function pageFrom(userId: string, first: number) {
  const supabase = await getSupabase();
  const designs = supabase.from("designs");
  const select = (columns: typeof COLUMNS, options?: { count: "exact" }) =>
    designs
      .select(columns, options)
      .eq("user_id", userId)
      .order("created_at", { ascending: false })
      .order("id");
  if (first < DEEP)
    return select(COLUMNS, { count: "exact" }).range(first, first + DESIGNS_PER_PAGE - 1);
  const ids = await designs
    .select("id", { count: "exact" })
    .eq("user_id", userId)
    .order("created_at", { ascending: false })
    .order("id")
    .range(first, first + DESIGNS_PER_PAGE - 1);
  if (ids.error) return ids;
  const rows = await select(COLUMNS).in(
    "id",
    ids.data.map((each) => each.id),
  );
  return { ...rows, count: ids.count };
}

async function listDesigns(userId: string, page: number): Promise<DesignPage> {
  const first = (page - 1) * DESIGNS_PER_PAGE;
  const response = await pageFrom(userId, first);
  // A page past the end (the last design of the last page was deleted) is empty, not an error.
  if (response.error?.code === "PGRST103") return { designs: [], total: first };
  const rows = z.parse(z.array(row), unwrap(response));
  const addressOf = await thumbnailAddresses(rows.map((each) => each.thumbnail_url));
  return {
    designs: rows.map((each) => toDesign(each, addressOf(each.thumbnail_url))),
    total: response.count ?? rows.length,
  };
}

function designsQuery(userId: string, page: number) {
  return queryOptions({
    queryKey: [...DESIGNS_KEY, userId, page],
    queryFn: () => listDesigns(userId, page),
    placeholderData: keepPreviousData,
  });
}

export function useDesigns(userId: string, page: number) {
  return useQuery(designsQuery(userId, page));
}

/** Every page of the list follows its designs: one that is in the making gets ready by itself. */
export function useLiveDesigns(userId: string) {
  useLiveRows({
    table: "designs",
    filter: `user_id=eq.${userId}`,
    queryKey: [...DESIGNS_KEY, userId],
  });
}
