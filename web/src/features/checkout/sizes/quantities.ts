/** Quantities by variant id; sizes with a quantity of 0 are left out. */
import { MOST_PER_SIZE } from "@/shop/catalog/pricing";
import type { Variant } from "@/shop/catalog/variants";

export type SizeQuantities = Readonly<Record<string, number>>;

export interface OrderLine {
  variant: Variant;
  quantity: number;
}

export function withQuantity(
  quantities: SizeQuantities,
  variantId: string,
  quantity: number,
): SizeQuantities {
  const { [variantId]: _old, ...others } = quantities;
  return quantity <= 0 ? others : { ...others, [variantId]: Math.min(quantity, MOST_PER_SIZE) };
}

/** The lines of the order, in the order of the sizes given. */
export function orderLines(sizes: readonly Variant[], quantities: SizeQuantities): OrderLine[] {
  return sizes
    .map((variant) => ({ variant, quantity: quantities[variant.id] ?? 0 }))
    .filter((line) => line.quantity > 0);
}

export function totalQuantity(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}

export function parseQuantitiesDraft(stored: unknown): SizeQuantities | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  let quantities: SizeQuantities = {};
  for (const [id, quantity] of Object.entries(stored)) {
    if (Number.isInteger(quantity)) quantities = withQuantity(quantities, id, quantity as number);
  }
  return quantities;
}
