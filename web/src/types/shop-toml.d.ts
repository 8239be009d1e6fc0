/** The tables of shop.toml that pages read; web/plugins/toml-plugin.ts makes them. */
declare module "*/shop.toml" {
  export const shop: {
    company: string;
    address: string;
    support_email: string;
    minimum_age: number;
  };
  export const policies: {
    updated: string;
    claim_days: number;
    refund_time: string;
    data_request_days: number;
    order_retention: string;
  };
  export const prices: {
    shirt_cents: number;
    regular_shirt_cents: number;
    second_side_cents: number;
    shipping_cents: number;
    free_shipping_countries: string[];
    most_per_size: number;
  };
  export const delivery: { home_country: string; home: string; abroad: string };
  export const promo: { ends_at: string };
  export const shirt: {
    name: string;
    material: string;
    weight: string;
    fit: string;
    care: string;
    models: string;
  };
}
