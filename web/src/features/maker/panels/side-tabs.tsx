import { cn } from "@/lib/text/cn";
import { formatPrice } from "@/lib/text/format";
import { SECOND_SIDE_CENTS } from "@/shop/catalog/pricing";
import { type Scene, SIDES, type Side } from "@/shop/scene/scene";

const NAMES = { front: "Front", back: "Back" };

interface SideTabsProps {
  scene: Scene;
  side: Side;
  onTurn: (side: Side) => void;
}

export function SideTabs({ scene, side, onTurn }: SideTabsProps) {
  return (
    <fieldset aria-label="Side of the shirt" className="flex min-w-0 flex-wrap gap-2">
      {SIDES.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === side}
          onClick={() => onTurn(each)}
          className={cn(
            "h-10 flex-1 rounded-full border base:border-line-strong base:bg-raised px-5 text-[0.95rem] font-semibold hover:border-ink sm:flex-none",
            each === side && "border-ink bg-ink text-paper",
          )}
        >
          {NAMES[each]}
          {scene[each].length > 0 ? (
            <span className="ml-1.5 font-normal tabular-nums opacity-80">
              {scene[each].length}
              <span className="sr-only">{scene[each].length === 1 ? " layer" : " layers"}</span>
            </span>
          ) : null}
        </button>
      ))}
      {side === "back" && SECOND_SIDE_CENTS > 0 ? (
        <p className="basis-full text-sm text-ink-soft">
          Printing the back adds {formatPrice(SECOND_SIDE_CENTS / 100)} a shirt.
        </p>
      ) : null}
    </fieldset>
  );
}
