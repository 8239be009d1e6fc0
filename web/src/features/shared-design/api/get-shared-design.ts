/**
 * The design behind a share link, private or not, as the database shows it to this visitor. Its creator stays unnamed
 * unless they have a public name. The print product is read from the designs themselves, where row security shows it to
 * the owner, and to everybody while the design is public.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ServiceError } from "@/lib/errors/errors";
import { type DataApi, getDataApi } from "@/lib/supabase/data-api";
import { hasEarlyData } from "@/lib/supabase/early-request";
import { isUuid } from "@/lib/text/is-uuid";
import { findSharedDesign, type SharedDesignRow } from "@/shop/designs/find-shared-design";
import { designNotFound } from "@/shop/designs/get-design";
import { useLinkKey } from "@/shop/designs/link-key";
import { SHARED_DESIGN_KEY } from "@/shop/query-keys";

export type SharedDesign = SharedDesignRow & {
  creatorName: string;
  likeCount: number;
  /** Of a public design. */
  creatorId: string | undefined;
  productId: string | null;
};

export function productRequest(api: DataApi, id: string) {
  return api.from("designs").select("printify_product_id").eq("id", id).maybeSingle();
}

export function publicationRequest(api: DataApi, id: string) {
  return api.from("public_designs").select("like_count, user_id").eq("design_id", id).maybeSingle();
}

async function readProductId(api: DataApi, id: string): Promise<string | null> {
  const response = await productRequest(api, id);
  // The shirt is decoration: without it the picture is shown by itself.
  return response.data?.printify_product_id ?? null;
}

async function getSharedDesign(id: string | undefined, key: string | null): Promise<SharedDesign> {
  if (!id) throw new ServiceError("Design ID is required", "no_design_id", 400);
  const design = isUuid(id) ? await findSharedDesign(id, key) : null;
  if (!design) throw designNotFound();
  const api = await getDataApi();
  const [productId, publication] = await Promise.all([
    design.is_public || design.is_owner ? readProductId(api, design.id) : null,
    publicationRequest(api, design.id),
  ]);
  return {
    ...design,
    productId,
    likeCount: publication.data?.like_count ?? 0,
    creatorId: publication.data?.user_id,
    creatorName: design.creator_name?.trim() || "Anonymous",
  };
}

export function sharedDesignQuery(id: string | undefined, key: string | null = null) {
  return queryOptions({
    queryKey: [...SHARED_DESIGN_KEY, id, key],
    queryFn: () => getSharedDesign(id, key),
    // The page says already that there is no such design.
    retryOnMount: !hasEarlyData(),
  });
}

export function useSharedDesign(id: string | undefined) {
  return useQuery(sharedDesignQuery(id, useLinkKey()));
}
