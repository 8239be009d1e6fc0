/** What a shirt costs. The server computes its own total and refuses one that differs, so this is display and request, not authority. */

export const PROMO_PRICE_CENTS = 1990;
export const REGULAR_PRICE_CENTS = 2690;
const INTERNATIONAL_SHIPPING_CENTS = 590;

export interface Quote {
  quantity: number;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
}

export function shippingCents(country: string): number {
  return country === "US" ? 0 : INTERNATIONAL_SHIPPING_CENTS;
}

export function quote(quantity: number, country: string): Quote {
  const subtotalCents = PROMO_PRICE_CENTS * quantity;
  const shipping = shippingCents(country);
  return { quantity, subtotalCents, shippingCents: shipping, totalCents: subtotalCents + shipping };
}

export function deliveryEstimate(country: string): string {
  return country === "US" ? "3-7 business days" : "10-30 business days";
}
