import { ImageFrame } from "@/components/image-frame";
import { formatPrice } from "@/lib/text/format";

interface OrderItemProps {
  name: string;
  color: string | null;
  size: string | null;
  quantity: number;
  unitPrice: number;
  imageUrl: string | null;
}

/** One line of an order. */
export function OrderItem({ name, color, size, quantity, unitPrice, imageUrl }: OrderItemProps) {
  return (
    <li className="flex items-center gap-4 py-4">
      <ImageFrame
        sources={[imageUrl ?? undefined]}
        alt=""
        empty="No image"
        size={96}
        className="w-20 shrink-0 sm:w-24"
      />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 font-semibold">{name}</p>
        <p className="text-sm text-ink-soft">{[color, size].filter(Boolean).join(", ")}</p>
        <p className="text-sm text-ink-soft tabular-nums">
          {quantity} × {formatPrice(unitPrice)}
        </p>
      </div>
      <p className="font-semibold tabular-nums">{formatPrice(quantity * unitPrice)}</p>
    </li>
  );
}
