/**
 * What a shirt costs, from the price list in shop.toml, which the functions read and the database holds. The server computes its own
 * total and refuses one that differs, so this is display and request, not authority.
 */
import { delivery, prices } from "@/shop/owner-settings";

export const PROMO_PRICE_CENTS = prices.shirt_cents;
export const REGULAR_PRICE_CENTS = prices.regular_shirt_cents;
/** What printing the back as well costs, a shirt. */
export const SECOND_SIDE_CENTS = prices.second_side_cents;
export const MOST_PER_SIZE = prices.most_per_size;

export interface Quote {
  quantity: number;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
}

export function shippingCents(country: string): number {
  return prices.free_shipping_countries.includes(country) ? 0 : prices.shipping_cents;
}

export function shirtCents(hasBack: boolean): number {
  return PROMO_PRICE_CENTS + (hasBack ? SECOND_SIDE_CENTS : 0);
}

export function quote(quantity: number, country: string, hasBack = false): Quote {
  const subtotalCents = shirtCents(hasBack) * quantity;
  const shipping = shippingCents(country);
  return { quantity, subtotalCents, shippingCents: shipping, totalCents: subtotalCents + shipping };
}

export function deliveryEstimate(country: string): string {
  return country === delivery.home_country ? delivery.home : delivery.abroad;
}
