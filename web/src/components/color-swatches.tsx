import { Check } from "lucide-react";
import { cn } from "@/lib/text/cn";
import { isDark } from "@/shop/catalog/color";
import type { ColorGroup } from "@/shop/catalog/variants";

interface ColorSwatchesProps {
  groups: ColorGroup[];
  /** The id of a colour's first variant. */
  selected: string | undefined;
  onSelect: (group: ColorGroup) => void;
}

/** Folded shirts on a shelf: every colour at a glance, the chosen one named. */
export function ColorSwatches({ groups, selected, onSelect }: ColorSwatchesProps) {
  const chosen = groups.find((group) => group.variant.id === selected);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {groups.map((group) => (
          <button
            key={group.variant.id}
            type="button"
            title={group.name}
            aria-label={group.name}
            aria-pressed={group === chosen}
            onClick={() => onSelect(group)}
            style={{ backgroundColor: group.hex }}
            className={cn(
              "grid size-10 place-items-center rounded-lg border border-ink/30 forced-color-adjust-none transition-transform hover:scale-110 dark:border-white/30",
              group === chosen && "ring-[2.5px] ring-ink ring-offset-2 ring-offset-paper",
            )}
          >
            {group === chosen ? (
              <Check
                aria-hidden="true"
                strokeWidth={3}
                className={cn("size-5", isDark(group.hex) ? "text-white" : "text-[#1b1714]")}
              />
            ) : null}
          </button>
        ))}
      </div>
      <p className="min-h-6 text-sm text-ink-soft">
        {chosen ? (
          <strong className="font-semibold text-ink">{chosen.name}</strong>
        ) : (
          "No color chosen yet"
        )}
      </p>
    </div>
  );
}
