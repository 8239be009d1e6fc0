import { Check, TriangleAlert } from "lucide-react";
import { Spinner } from "@/components/ui/spinner";
import { imageSource } from "@/lib/browser/image-source";
import { cn } from "@/lib/text/cn";
import { isDark } from "@/shop/catalog/color";
import type { Drawn, Variation } from "@/shop/variations/use-variations";

interface VariationShelfProps {
  variations: readonly Variation[];
  chosen: string | null;
  onChoose: (drawn: Drawn) => void;
  /** The shirt's colour. */
  cloth: string;
}

const tile = "relative grid base:aspect-square w-full place-items-center rounded-card border p-3";

/** The pictures side by side, on the cloth. */
export function VariationShelf({ variations, chosen, onChoose, cloth }: VariationShelfProps) {
  if (variations.length === 0) return null;
  const drawn = variations.filter((each) => each.drawn).length;
  const running = variations.filter((each) => !each.drawn && !each.problem).length;
  return (
    <>
      <p role="status" className="sr-only">
        {running > 0 ? `${running} being drawn, ` : ""}
        {drawn} to choose from
      </p>
      <ol className="grid grid-cols-3 gap-2 sm:gap-3 lg:grid-cols-4">
        {variations.map((each, index) => (
          <li key={each.id} className={each.problem ? "max-sm:col-span-full" : undefined}>
            {each.drawn ? (
              <Tile
                drawn={each.drawn}
                name={`Picture ${index + 1}`}
                isChosen={each.id === chosen}
                cloth={cloth}
                onChoose={onChoose}
              />
            ) : (
              <Absent problem={each.problem} />
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

interface TileProps {
  drawn: Drawn;
  name: string;
  isChosen: boolean;
  cloth: string;
  onChoose: (drawn: Drawn) => void;
}

function Tile({ drawn, name, isChosen, cloth, onChoose }: TileProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={name}
      onClick={() => onChoose(drawn)}
      style={{ backgroundColor: cloth }}
      className={cn(
        tile,
        "border-line-strong hover:border-ink",
        isChosen && "ring-2 ring-ink ring-offset-2 ring-offset-paper",
      )}
    >
      <img
        src={imageSource(drawn.image) ?? undefined}
        alt=""
        width={256}
        height={256}
        className="size-full object-contain"
      />
      {isChosen ? (
        <Check
          aria-hidden="true"
          className={cn(
            "absolute right-2 bottom-2 size-5",
            isDark(cloth) ? "text-white" : "text-[#1b1714]",
          )}
        />
      ) : null}
    </button>
  );
}

/** One that is on its way, or that did not come. */
function Absent({ problem }: { problem: string | undefined }) {
  if (problem === undefined)
    return (
      <div className={cn(tile, "border-line bg-sunk")}>
        <span className="flex flex-col items-center gap-2 text-sm text-ink-soft">
          <Spinner className="size-6" />
          Drawing...
        </span>
      </div>
    );
  return (
    <div role="alert" className={cn(tile, "aspect-auto min-h-full border-line bg-sunk")}>
      <span className="flex flex-col items-center gap-2 text-center text-sm">
        <TriangleAlert aria-hidden="true" className="size-5 text-tomato-text" />
        {problem}
      </span>
    </div>
  );
}
