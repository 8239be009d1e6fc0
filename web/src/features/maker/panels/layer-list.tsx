import { Image, Lock, Shapes, Type } from "lucide-react";
import { cn } from "@/lib/text/cn";
import type { Layer } from "@/shop/scene/scene";
import { layerName } from "../state/describe";

const ICONS = { picture: Image, lettering: Type, shape: Shapes };

interface LayerListProps {
  layers: readonly Layer[];
  selected: Layer | undefined;
  onSelect: (id: string) => void;
}

/** What lies on this side, the topmost first. */
export function LayerList({ layers, selected, onSelect }: LayerListProps) {
  if (layers.length === 0)
    return (
      <p className="text-ink-soft">
        Nothing on this side yet. Add lettering, a picture or a shape.
      </p>
    );
  return (
    <ol className="flex flex-col gap-1.5">
      {layers.toReversed().map((layer) => {
        const Icon = ICONS[layer.kind];
        return (
          <li key={layer.id}>
            <button
              type="button"
              aria-pressed={layer === selected}
              onClick={() => onSelect(layer.id)}
              className={cn(
                "flex h-11 w-full items-center gap-2.5 rounded-lg border base:border-line bg-raised px-3 text-left text-sm font-medium hover:border-ink",
                layer === selected && "border-ink ring-1 ring-ink",
              )}
            >
              <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
              <span className="min-w-0 flex-1 truncate">{layerName(layer)}</span>
              {layer.locked ? (
                <>
                  <Lock aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
                  <span className="sr-only">, locked</span>
                </>
              ) : null}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
