import { formatPrice } from "@/lib/text/format";

/** The last line of an order's items. */
export function OrderShipping({ cents }: { cents: number }) {
  return (
    <p className="flex justify-between border-t border-line pt-4">
      <span className="text-ink-soft">Shipping</span>
      <span className="font-semibold tabular-nums">
        {cents ? formatPrice(cents / 100) : "Free"}
      </span>
    </p>
  );
}
