import { Minus, Plus } from "lucide-react";
import { cn } from "@/lib/text/cn";
import { MOST_PER_SIZE } from "@/shop/catalog/pricing";
import { sizeName, type Variant } from "@/shop/catalog/variants";
import type { SizeQuantities } from "./quantities";

interface SizePickerProps {
  sizes: Variant[];
  quantities: SizeQuantities;
  onChange: (variantId: string, quantity: number) => void;
}

const step =
  "grid size-10 place-items-center sm:size-11 rounded-lg hover:bg-sunk disabled:cursor-not-allowed disabled:text-line-strong disabled:hover:bg-transparent";

export function SizePicker({ sizes, quantities, onChange }: SizePickerProps) {
  if (sizes.length === 0)
    return <p className="text-ink-soft">No sizes available for selected color</p>;
  return (
    <ul className="grid grid-cols-2 gap-2.5 max-[22rem]:grid-cols-1">
      {sizes.map((variant) => {
        const size = sizeName(variant.name);
        const quantity = quantities[variant.id] ?? 0;
        return (
          <li
            key={variant.id}
            className={cn(
              "flex items-center justify-between rounded-lg border base:border-line bg-raised py-1 pr-0.5 pl-3 sm:pr-1 sm:pl-4",
              quantity > 0 && "border-ink ring-1 ring-ink",
            )}
          >
            <span className="font-display text-lg font-bold">{size}</span>
            <span className="flex items-center">
              <button
                type="button"
                className={step}
                aria-label={`Decrease ${size} quantity`}
                disabled={quantity <= 0}
                onClick={() => onChange(variant.id, quantity - 1)}
              >
                <Minus aria-hidden="true" className="size-4" />
              </button>
              <output
                aria-label={`${size} quantity`}
                className="w-6 text-center sm:w-7 font-semibold tabular-nums"
              >
                {quantity}
              </output>
              <button
                type="button"
                className={step}
                aria-label={`Increase ${size} quantity`}
                disabled={quantity >= MOST_PER_SIZE}
                onClick={() => onChange(variant.id, quantity + 1)}
              >
                <Plus aria-hidden="true" className="size-4" />
              </button>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
