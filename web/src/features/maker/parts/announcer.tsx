import { useDebounced } from "@/lib/browser/use-debounced";
import type { Layer } from "@/shop/scene/scene";
import { layerName, placeInWords } from "../state/describe";

const QUIET_MS = 500;

/** Tells a screen reader what the selected layer is and where it has come to. */
export function Announcer({
  layer,
  layers,
}: {
  layer: Layer | undefined;
  layers: readonly Layer[];
}) {
  const text = layer
    ? `${layerName(layer)}, layer ${layers.indexOf(layer) + 1} of ${layers.length}: ${placeInWords(layer)}`
    : "";
  return (
    <p aria-live="polite" className="sr-only">
      {useDebounced(text, QUIET_MS)}
    </p>
  );
}
