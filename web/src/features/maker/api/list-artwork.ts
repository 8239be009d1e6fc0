/** design_artwork: the visitor's own pictures by id, with addresses of their files for a working day. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";

const BUCKET = "artwork";
const SIGNED_SECONDS = 43_200;

const schema = z.array(
  z.object({
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    media_type: z.string(),
    width: z.int(),
    height: z.int(),
    review: z.string(),
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
}

async function listArtwork(ids: readonly string[]): Promise<Artwork[]> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("design_artwork")
    .select("id, user_id, name, media_type, width, height, review")
    .in("id", ids);
  const rows = z.parse(schema, unwrap(response)).map((row) => {
    const isVector = row.media_type === "image/svg+xml";
    return { ...row, isVector, path: `${row.user_id}/${row.id}.${isVector ? "svg" : "png"}` };
  });
  const { data } = await supabase.storage.from(BUCKET).createSignedUrls(
    rows.map((row) => row.path),
    SIGNED_SECONDS,
  );
  const addresses = new Map(data?.map((each) => [each.path, each.signedUrl]));
  return rows.map(({ id, name, width, height, isVector, review, path }) => ({
    id,
    name,
    width,
    height,
    isVector,
    isWaiting: review === "waiting",
    href: addresses.get(path) || undefined,
  }));
}

export function useArtwork(ids: readonly string[]) {
  const wanted = ids.toSorted();
  return useQuery({
    queryKey: ["design-artwork", wanted],
    queryFn: () => listArtwork(wanted),
    enabled: wanted.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
