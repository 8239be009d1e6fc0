import { formatPrice } from "@/lib/text/format";
import { PROMO_PRICE_CENTS, REGULAR_PRICE_CENTS } from "@/shop/catalog/pricing";

export function PriceTag() {
  return (
    <p className="flex items-baseline gap-2.5 tabular-nums">
      <span className="font-display text-3xl font-extrabold tracking-tight">
        {formatPrice(PROMO_PRICE_CENTS / 100)}
      </span>
      <s className="text-ink-soft">
        <span className="sr-only">instead of </span>
        {formatPrice(REGULAR_PRICE_CENTS / 100)}
      </s>
    </p>
  );
}
