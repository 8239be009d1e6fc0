/** product_variants: the whole catalog, by name. It seldom changes, so it stays fresh for the visit. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { type DataApi, getDataApi } from "@/lib/supabase/data-api";
import { DEFAULT_COLOR_HEX, type Variant } from "./variants";

const schema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    color_hex: z.pipe(
      z.nullable(z.string()),
      z.transform((hex: string | null) => hex || DEFAULT_COLOR_HEX),
    ),
    printify_variant_id: z.int(),
    is_available: z._default(z.boolean(), true),
    back_view: z.optional(z.nullable(z.int())),
  }),
);

export function variantsRequest(api: DataApi) {
  return api
    .from("product_variants")
    .select("id, name, color_hex, printify_variant_id, is_available, back_view")
    .order("name", { ascending: true });
}

async function getProductVariants(): Promise<Variant[]> {
  const response = await variantsRequest(await getDataApi());
  return z.parse(schema, unwrap(response));
}

export const productVariantsQuery = queryOptions({
  queryKey: ["product-variants"],
  queryFn: getProductVariants,
  staleTime: Number.POSITIVE_INFINITY,
});

export function useProductVariants({ enabled = true } = {}) {
  return useQuery({ ...productVariantsQuery, enabled });
}
