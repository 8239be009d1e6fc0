import { formatPrice } from "@/lib/text/format";
import { REGULAR_PRICE_CENTS, SECOND_SIDE_CENTS, shirtCents } from "@/shop/catalog/pricing";

/** `hasBack`: printed on the back as well. */
export function PriceTag({ hasBack = false }: { hasBack?: boolean }) {
  const extra = hasBack ? SECOND_SIDE_CENTS : 0;
  return (
    <p className="flex items-baseline gap-2.5 tabular-nums">
      <span className="font-display text-3xl font-extrabold tracking-tight">
        {formatPrice(shirtCents(hasBack) / 100)}
      </span>
      <s className="text-ink-soft">
        <span className="sr-only">instead of </span>
        {formatPrice((REGULAR_PRICE_CENTS + extra) / 100)}
      </s>
    </p>
  );
}
