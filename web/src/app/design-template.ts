/**
 * The pages of a public design and of a creator as the build draws them: with marks where their data stand. The function design-page
 * fills them in (functions/_shared/pages/template.py): `__name__` is a mark, and an element with data-each="colors" is
 * repeated for each colour, where the second of two shows the chosen one. What is no text here, and what is formatted on its way into the page, has a sample that
 * becomes a mark once the page is drawn.
 */
import type { QueryClient } from "@tanstack/react-query";
import { type CreatorPage, creatorQuery } from "@/features/discover/api/list-creator-designs";
import { sharedDesignQuery } from "@/features/shared-design/api/get-shared-design";
import { provideEnv } from "@/lib/env";
import { formatDate } from "@/lib/text/format";
import { productVariantsQuery } from "@/shop/catalog/get-product-variants";
import { mockupUrl } from "@/shop/designs/mockup-url";

export const DESIGN_ID = "__design_id__";
export const CREATOR_ID = "__creator_id__";
const PRODUCT = "PRODUCT";
const DAY = "1999-01-02T12:00:00Z";
const LIKES = 987_654_321;
const [HEX, CHOSEN_HEX] = ["#c0104e", "#c0104f"];
const PRINTIFY_VARIANT = 876_543_210;
const HOST = "sample.invalid";

/** The answers that a design's page is drawn with. */
export function provideDesign(client: QueryClient): void {
  const address = `https://${HOST}`;
  provideEnv({
    SUPABASE_URL: address,
    SUPABASE_KEY: "none",
    STRIPE_PUBLISHABLE_KEY: "none",
    STRIPE_JS_URL: address,
    MOCKUP_BASE_URL: address,
  });
  client.setQueryData(sharedDesignQuery(DESIGN_ID).queryKey, {
    id: DESIGN_ID,
    name: "__design_name__",
    selected_colors: ["__chosen_id__"],
    created_at: DAY,
    published_at: DAY,
    is_public: true,
    is_owner: false,
    creator_name: "__creator__",
    creatorName: "__creator__",
    creatorId: "__creator_id__",
    image_url: null,
    image_data: null,
    thumbnail_data: null,
    likeCount: LIKES,
    productId: PRODUCT,
    linkKey: null,
    isTakenDown: false,
  });
  const variant = { printify_variant_id: PRINTIFY_VARIANT, is_available: true };
  client.setQueryData(productVariantsQuery.queryKey, [
    { ...variant, id: "__color_id__", name: "__color_name__ - M", color_hex: HEX },
    { ...variant, id: "__chosen_id__", name: "__chosen_name__ - __sizes__", color_hex: CHOSEN_HEX },
  ]);
}

export function provideCreator(client: QueryClient): void {
  const page: CreatorPage = { creatorName: "__creator__", items: [], next: undefined };
  client.setQueryData(creatorQuery(CREATOR_ID).queryKey, {
    pages: [page],
    pageParams: [undefined],
  });
}

/** The drawn page with marks in the places of the samples. */
export function markSamples(html: string): string {
  const mockup = mockupUrl({ productId: PRODUCT, printifyVariantId: PRINTIFY_VARIANT });
  const marked = html
    .replaceAll(mockup.replaceAll("&", "&amp;"), "__picture__")
    .replaceAll(formatDate(DAY), "__published__")
    .replaceAll(`${LIKES} likes`, "__likes__")
    .replaceAll(String(LIKES), "__like_count__")
    .replaceAll(HEX, "__color_hex__")
    .replaceAll(CHOSEN_HEX, "__chosen_hex__")
    .replace("<title>__design_name__", "<title>__short_name__");
  for (const sample of [PRODUCT, "1999", PRINTIFY_VARIANT, HOST, "- M"]) {
    if (marked.includes(String(sample)))
      throw new Error(
        `The page of a public design still holds ${sample}, which no mark stands for`,
      );
  }
  return marked;
}
