/**
 * What a shirt costs, from the one price list that the functions and the database hold too. The server computes its own
 * total and refuses one that differs, so this is display and request, not authority.
 */
import prices from "../../../functions/_shared/catalog/pricing.json";
import { delivery } from "./owner-settings";

export const PROMO_PRICE_CENTS = prices.shirt_cents;
export const REGULAR_PRICE_CENTS = prices.regular_shirt_cents;
export const MOST_PER_SIZE = prices.most_per_size;

export interface Quote {
  quantity: number;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
}

export function shippingCents(country: string): number {
  return country === prices.home_country
    ? prices.home_shipping_cents
    : prices.abroad_shipping_cents;
}

export function quote(quantity: number, country: string): Quote {
  const subtotalCents = PROMO_PRICE_CENTS * quantity;
  const shipping = shippingCents(country);
  return { quantity, subtotalCents, shippingCents: shipping, totalCents: subtotalCents + shipping };
}

export function deliveryEstimate(country: string): string {
  return country === prices.home_country ? delivery.home : delivery.abroad;
}
