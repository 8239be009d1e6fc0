/** related_designs: public designs with words or the style of a public one. */
import { useQuery } from "@tanstack/react-query";
import { getGalleryApi } from "@/lib/supabase/data-api";
import {
  CARD_COLUMNS,
  cardRows,
  creatorNames,
  type GalleryItem,
  toItem,
} from "@/shop/gallery/gallery-items";

const SHOWN = 4;

async function listRelatedDesigns(designId: string): Promise<GalleryItem[]> {
  const api = await getGalleryApi();
  const rows = cardRows(
    await api
      .rpc("related_designs", { design: designId, page_size: SHOWN }, { get: true })
      .select(CARD_COLUMNS),
  );
  const names = await creatorNames(api, rows);
  return rows.map((row) => toItem(row, names));
}

export function useRelatedDesigns(designId: string) {
  return useQuery({
    queryKey: ["related-designs", designId],
    queryFn: () => listRelatedDesigns(designId),
    staleTime: 60_000,
  });
}
