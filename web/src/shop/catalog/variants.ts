/**
 * A product variant is one colour in one size, named 'Black - XL': the colour before the last ' - ', the size after it.
 */
export const DEFAULT_COLOR_HEX = "#CCCCCC";
const SEPARATOR = " - ";
const SIZES = ["XS", "S", "M", "L", "XL", "2XL", "3XL", "4XL"];

export interface Variant {
  id: string;
  name: string;
  color_hex: string;
  printify_variant_id: number;
  /** False: the printer no longer offers it. Designs and orders may still name it. */
  is_available: boolean;
  /** The printer's camera that shows the back, once a product with a back has told it. */
  back_view?: number | null | undefined;
}

export interface ColorGroup {
  name: string;
  hex: string;
  /** The group's first available variant; its id is stored as the colour's id. */
  variant: Variant;
  /** Every variant of the colour, available or not, so that any of them leads to it. */
  ids: ReadonlySet<string>;
}

export function colorName(variantName: string): string {
  const at = variantName.lastIndexOf(SEPARATOR);
  return at === -1 ? variantName : variantName.slice(0, at);
}

export function sizeName(variantName: string): string {
  const at = variantName.lastIndexOf(SEPARATOR);
  return at === -1 ? variantName : variantName.slice(at + SEPARATOR.length);
}

/** The colours that can be ordered in at least one size. */
export function colorGroups(variants: readonly Variant[]): ColorGroup[] {
  const groups = new Map<string, ColorGroup & { ids: Set<string> }>();
  for (const variant of variants) {
    const name = colorName(variant.name);
    const group = groups.get(name) ?? {
      name,
      hex: variant.color_hex,
      variant,
      ids: new Set<string>(),
    };
    group.ids.add(variant.id);
    if (variant.is_available && !group.variant.is_available) group.variant = variant;
    groups.set(name, group);
  }
  return [...groups.values()].filter((group) => group.variant.is_available);
}

/** XS to 4XL; sizes we don't know come last, by name. */
export function compareSizes(a: string, b: string): number {
  const [rankA, rankB] = [SIZES.indexOf(a), SIZES.indexOf(b)];
  if (rankA !== -1 && rankB !== -1) return rankA - rankB;
  if (rankA !== -1) return -1;
  if (rankB !== -1) return 1;
  return a.localeCompare(b, "en");
}

export function sizesOfColor(variants: readonly Variant[], color: string): Variant[] {
  return variants
    .filter((variant) => variant.is_available && colorName(variant.name) === color)
    .toSorted((a, b) => compareSizes(sizeName(a.name), sizeName(b.name)));
}

/** The colour that a variant belongs to, given any of the colour's variants by id. */
export function groupOfVariant(
  groups: readonly ColorGroup[],
  variantId: string | null | undefined,
): ColorGroup | undefined {
  if (!variantId) return undefined;
  return groups.find((group) => group.ids.has(variantId));
}
