import { formatPrice } from "@/lib/text/format";
import {
  deliveryEstimate,
  PROMO_PRICE_CENTS,
  quote,
  REGULAR_PRICE_CENTS,
  SECOND_SIDE_CENTS,
} from "@/shop/catalog/pricing";

interface PricingSummaryProps {
  quantity: number;
  country: string;
  /** The shirt is printed on the back as well. */
  hasBack: boolean;
}

export function PricingSummary({ quantity, country, hasBack }: PricingSummaryProps) {
  const price = quote(quantity, country, hasBack);
  const row = "flex items-baseline justify-between gap-4";
  return (
    <dl aria-label="Price" className="flex flex-col gap-2.5 tabular-nums">
      <div className={row}>
        <dt>Price per shirt</dt>
        <dd>
          <s className="mr-2 text-ink-soft">
            <span className="sr-only">regular price </span>
            {formatPrice(REGULAR_PRICE_CENTS / 100)}
          </s>
          <strong>{formatPrice(PROMO_PRICE_CENTS / 100)}</strong>
        </dd>
      </div>
      {hasBack && SECOND_SIDE_CENTS > 0 && (
        <div className={row}>
          <dt>Printed on the back as well</dt>
          <dd>+ {formatPrice(SECOND_SIDE_CENTS / 100)}</dd>
        </div>
      )}
      <div className={row}>
        <dt>Quantity</dt>
        <dd>{quantity}</dd>
      </div>
      <div className={row}>
        <dt>Subtotal</dt>
        <dd>{formatPrice(price.subtotalCents / 100)}</dd>
      </div>
      <div className={row}>
        <dt>Shipping</dt>
        <dd>{price.shippingCents === 0 ? "Free" : formatPrice(price.shippingCents / 100)}</dd>
      </div>
      <div className={`${row} border-t border-line pt-3`}>
        <dt className="font-display text-xl font-bold">Total</dt>
        <dd className="font-display text-3xl font-extrabold tracking-tight">
          {formatPrice(price.totalCents / 100)}
        </dd>
      </div>
      <div className={`${row} text-sm text-ink-soft`}>
        <dt>Estimated delivery</dt>
        <dd>{deliveryEstimate(country)}</dd>
      </div>
    </dl>
  );
}
