/** An order's pages at the vendors. */

/** Stripe's dashboard has a path of its own for payments in test mode. */
export function stripePaymentUrl(intentId: string, publishableKey: string): string {
  const mode = publishableKey.startsWith("pk_test_") ? "test/" : "";
  return `https://dashboard.stripe.com/${mode}payments/${encodeURIComponent(intentId)}`;
}

/** Printify documents no address of a single order: its list of orders can be searched for the id. */
export const PRINTIFY_ORDERS_URL = "https://printify.com/app/orders";
