/**
 * The design of the mockup page: the row itself where row security shows it (one's own, and public ones), and what a
 * share link shows of it everywhere else. Only the row knows the print product.
 */
import { useQuery } from "@tanstack/react-query";
import { findSharedDesign } from "@/shop/find-shared-design";
import { type Design, designNotFound, findDesign, requireDesignId } from "@/shop/get-design";

export type PreviewDesign = Omit<Design, "user_id"> & {
  isOwn: boolean;
  /** Private and somebody else's: whether a print product exists is not shown. */
  isSharedPrivately: boolean;
};

async function getPreviewDesign(
  id: string | null,
  userId: string | undefined,
): Promise<PreviewDesign> {
  const designId = requireDesignId(id);
  const row = await findDesign(designId);
  if (row) return { ...row, isOwn: row.user_id === userId, isSharedPrivately: false };
  const shared = await findSharedDesign(designId);
  if (!shared) throw designNotFound();
  return { ...shared, printify_product_id: null, isOwn: false, isSharedPrivately: true };
}

/** Waits until it is known who looks. */
export function usePreviewDesign(
  id: string | null,
  visitor: { loading: boolean; userId: string | undefined },
) {
  return useQuery({
    enabled: !visitor.loading,
    queryKey: ["design", id, "preview", visitor.userId],
    queryFn: () => getPreviewDesign(id, visitor.userId),
  });
}
