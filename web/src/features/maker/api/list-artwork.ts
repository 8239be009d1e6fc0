/** design_artwork: the visitor's own pictures by id, with addresses of their files for a working day. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const BUCKET = "artwork";
const SIGNED_SECONDS = 43_200;

/** The newest of somebody's own that are offered again. */
const MOST = 60;
/** The first key of the query for somebody's own. */
export const OWN_ARTWORK = "own-artwork";
/** The first key of the queries for those of a scene. */
export const SCENE_ARTWORK = "design-artwork";
const COLUMNS = "id, user_id, name, media_type, width, height, review, made_from, made_by";

const schema = z.array(
  z.object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    media_type: z.string(),
    width: z.int(),
    height: z.int(),
    review: z.string(),
    made_from: z.nullable(z.string()),
    made_by: z.nullable(z.string()),
  }),
);

export interface Artwork {
  id: string;
  name: string;
  /** Undefined where the file is gone. */
  href: string | undefined;
  width: number;
  height: number;
  isVector: boolean;
  isWaiting: boolean;
  /** The picture that this one was cut out of: another artwork's id, or `design:` and whose first picture it was. */
  cutFrom: string | undefined;
  /** The shop drew it. */
  isDrawn: boolean;
}

async function listArtwork(ids: readonly string[]): Promise<Artwork[]> {
  const supabase = await getSupabase();
  const response = await supabase.from("design_artwork").select(COLUMNS).in("id", ids);
  return withAddresses(unwrap(response));
}

async function listOwnArtwork(owner: string): Promise<Artwork[]> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_artwork")
    .select(COLUMNS)
    .eq("user_id", owner)
    .order("created_at", { ascending: false })
    .limit(MOST);
  return withAddresses(unwrap(response));
}

async function withAddresses(data: unknown): Promise<Artwork[]> {
  const { storage } = await getSupabase();
  const rows = z.parse(schema, data).map((row) => {
    const isVector = row.media_type === "image/svg+xml";
    return { ...row, isVector, path: `${row.user_id}/${row.id}.${isVector ? "svg" : "png"}` };
  });
  if (rows.length === 0) return [];
  const signed = await storage.from(BUCKET).createSignedUrls(
    rows.map((row) => row.path),
    SIGNED_SECONDS,
  );
  const addresses = new Map(signed.data?.map((each) => [each.path, each.signedUrl]));
  return rows.map(({ id, name, width, height, isVector, review, made_by, made_from, path }) => ({
    id,
    name,
    width,
    height,
    isVector,
    isWaiting: review === "waiting",
    cutFrom: made_by === "cut_out" && made_from ? made_from : undefined,
    isDrawn: made_by === "drawing",
    href: addresses.get(path) || undefined,
  }));
}

export function useArtwork(ids: readonly string[]) {
  const wanted = ids.toSorted();
  return useQuery({
    queryKey: [SCENE_ARTWORK, wanted],
    queryFn: () => listArtwork(wanted),
    enabled: wanted.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

export function ownArtworkQuery(owner: string) {
  return queryOptions({
    queryKey: [OWN_ARTWORK, owner],
    queryFn: () => listOwnArtwork(owner),
  });
}
