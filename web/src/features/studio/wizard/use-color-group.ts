import { useProductVariants } from "@/shop/get-product-variants";
import { type ColorGroup, colorGroups } from "@/shop/variants";

/** The colour that a stored first-variant id stands for. */
export function useColorGroup(variantId: string): ColorGroup | undefined {
  const variants = useProductVariants();
  return colorGroups(variants.data ?? []).find((group) => group.variant.id === variantId);
}
