/** public_designs: the newest that is printable, so that the preview shows a real shirt. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors";
import { imageSource } from "@/lib/image-source";
import { mockupUrl } from "@/lib/shop/mockup-url";
import { getSupabase } from "@/lib/supabase";

const schema = z.object({
  designs: z.object({
    name: z.string(),
    thumbnail_data: z.nullable(z.string()),
    printify_product_id: z.string(),
    selected_colors: z.array(z.string()),
  }),
});

export interface SampleDesign {
  name: string;
  variantName: string | undefined;
  pictures: (string | undefined)[];
}

async function getSampleDesign(): Promise<SampleDesign | null> {
  const supabase = await getSupabase();
  const answer = await supabase
    .from("public_designs")
    .select("designs!inner(name, thumbnail_data, printify_product_id, selected_colors)")
    .not("designs.printify_product_id", "is", null)
    .order("created_at", { ascending: false })
    .limit(1)
    .maybeSingle();
  const row = unwrap(answer);
  if (!row) return null;
  const { designs: design } = z.parse(schema, row);
  const variant = await supabase
    .from("product_variants")
    .select("name, printify_variant_id")
    .eq("id", design.selected_colors[0] ?? "")
    .maybeSingle();
  const mockup = variant.data
    ? mockupUrl({
        productId: design.printify_product_id,
        printifyVariantId: variant.data.printify_variant_id,
      })
    : undefined;
  return {
    name: design.name,
    variantName: variant.data?.name,
    pictures: [mockup, imageSource(design.thumbnail_data)],
  };
}

export function useSampleDesign() {
  return useQuery({ queryKey: ["sample-design"], queryFn: getSampleDesign, retry: false });
}
