import { ShirtStandIn } from "@/components/shirt-stand-in";
import { cn } from "@/lib/text/cn";
import type { ColorGroup } from "@/shop/catalog/variants";

interface ColorShirtsProps {
  groups: ColorGroup[];
  /** The name of the chosen colour. */
  chosen: string | undefined;
  /** The design's stored pictures, the better one first. */
  pictures: (string | null | undefined)[];
  onChoose: (group: ColorGroup) => void;
}

/** The design on a shirt of each colour: all of them draw the one picture. */
export function ColorShirts({ groups, chosen, pictures, onChoose }: ColorShirtsProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(3.25rem,1fr))] gap-1.5">
      {groups.map((group) => (
        <li key={group.name} data-each="colors">
          <button
            type="button"
            title={group.name}
            aria-label={group.name}
            aria-pressed={group.name === chosen}
            onClick={() => onChoose(group)}
            className={cn(
              "grid aspect-square w-full place-items-center rounded-lg border base:border-line bg-sunk hover:border-ink",
              group.name === chosen && "border-ink ring-[1.5px] ring-ink",
            )}
          >
            <ShirtStandIn flat pictures={pictures} color={group.hex} />
          </button>
        </li>
      ))}
    </ul>
  );
}
