import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { type ColorGroup, colorGroups } from "@/shop/catalog/variants";

/** The colour of a stored first-variant id; found by its name where no id is stored. */
export function useColorGroup(variantId: string, name: string): ColorGroup | undefined {
  const variants = useProductVariants();
  const groups = colorGroups(variants.data ?? []);
  return (
    groups.find((group) => group.variant.id === variantId) ??
    groups.find((group) => group.name === name)
  );
}
