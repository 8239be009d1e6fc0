/**
 * The design of the mockup page: the row itself where row security shows it (one's own, and public ones), and what a
 * share link shows of it everywhere else. Only the row knows the print product.
 */
import { useQuery } from "@tanstack/react-query";
import { useLiveRows } from "@/lib/supabase/live-rows";
import { findSharedDesign } from "@/shop/designs/find-shared-design";
import {
  type Design,
  designNotFound,
  designQuery,
  findDesign,
  requireDesignId,
} from "@/shop/designs/get-design";

export type PreviewDesign = Omit<Design, "user_id" | "link_key" | "takedown_reason"> & {
  linkKey: string | null;
  isTakenDown: boolean;
  isOwn: boolean;
  /** A private design of another user: the response hides whether a print product exists. */
  isSharedPrivately: boolean;
};

async function getPreviewDesign(
  id: string | null,
  userId: string | undefined,
): Promise<PreviewDesign> {
  const designId = requireDesignId(id);
  const row = await findDesign(designId);
  if (row)
    return {
      ...row,
      linkKey: row.link_key,
      isTakenDown: row.takedown_reason !== null,
      isOwn: row.user_id === userId,
      isSharedPrivately: false,
    };
  const shared = await findSharedDesign(designId);
  if (!shared) throw designNotFound();
  return {
    ...shared,
    printify_product_id: null,
    has_back: false,
    isOwn: false,
    isSharedPrivately: true,
  };
}

/** Waits until the session has loaded. */
export function usePreviewDesign(
  id: string | null,
  visitor: { loading: boolean; userId: string | undefined },
) {
  const queryKey = [...designQuery(id).queryKey, "preview", visitor.userId];
  const design = useQuery({
    enabled: !visitor.loading,
    queryKey,
    queryFn: () => getPreviewDesign(id, visitor.userId),
  });
  // Its print product is being made: the mockup appears as soon as there is one.
  const unfinished = design.data?.isOwn === true && design.data.printify_product_id === null;
  useLiveRows({ table: "designs", filter: `id=eq.${id}`, queryKey, enabled: unfinished });
  return design;
}
