import { Button } from "@/components/ui/button";
import { layerBox, printInches } from "@/shop/scene/geometry";
import { IDEAL_DPI, type Size } from "@/shop/scene/placement";
import type { Layer, Side } from "@/shop/scene/scene";
import { NumberField } from "../parts/number-field";
import { clampPlace } from "../stage/gestures";
import { PLACEMENTS, placeAt } from "../state/placements";
import type { MakerActions } from "../state/use-maker";

interface PlacePanelProps {
  layer: Layer;
  ratio: number;
  side: Side;
  /** The largest area, in whose shares the scene is. */
  area: Size;
  /** That of the size in view. */
  shown: Size;
  actions: MakerActions;
}

/** Where the layer lies, in numbers and by the printers' names of places. */
export function PlacePanel({ layer, ratio, side, area, shown, actions }: PlacePanelProps) {
  const inches = shown.width / IDEAL_DPI;
  const { id, x, y, scale, angle, locked } = layer;
  const printed = printInches(layerBox(layer, ratio, shown));
  const place = (change: Partial<Pick<Layer, "x" | "y" | "scale" | "angle">>) =>
    actions.change(id, clampPlace({ x, y, scale, angle, ...change }));
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-2 min-[24rem]:grid-cols-4">
        <NumberField
          label="Across, %"
          value={x * 100}
          digits={1}
          least={-100}
          most={200}
          disabled={locked}
          onChange={(value) => place({ x: value / 100 })}
        />
        <NumberField
          label="Down, %"
          value={y * 100}
          digits={1}
          least={-100}
          most={200}
          disabled={locked}
          onChange={(value) => place({ y: value / 100 })}
        />
        <NumberField
          label="Width, in"
          value={scale * inches}
          digits={1}
          step={0.1}
          least={0.1}
          most={40}
          disabled={locked}
          onChange={(value) => place({ scale: value / inches })}
        />
        <NumberField
          label="Turn, °"
          value={angle}
          least={-180}
          most={180}
          disabled={locked}
          onChange={(value) => place({ angle: value })}
        />
      </div>
      <p className="text-sm text-ink-soft tabular-nums">
        {printed.width.toFixed(1)} × {printed.height.toFixed(1)} in on this size
      </p>
      <fieldset aria-label="Common places" className="min-w-0 flex flex-wrap gap-1.5">
        {PLACEMENTS[side].map((placement) => (
          <Button
            key={placement.name}
            variant="secondary"
            size="sm"
            disabled={locked}
            onClick={() => place(placeAt(placement, ratio, area))}
          >
            {placement.name}
          </Button>
        ))}
      </fieldset>
    </div>
  );
}
