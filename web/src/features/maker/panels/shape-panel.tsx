import type { ShapeLayer } from "@/shop/scene/scene";
import { InkChoice } from "../parts/ink-choice";
import { Slider } from "../parts/slider";
import type { LayerChange } from "../state/edits";

interface ShapePanelProps {
  layer: ShapeLayer;
  cloth: string;
  onChange: (change: LayerChange, name?: string) => void;
  onSettle: () => void;
}

/** Steps on a logarithmic scale, so that flat and tall shapes are equally far from a square. */
const STEPS = 40;

export function ShapePanel({ layer, cloth, onChange, onSettle }: ShapePanelProps) {
  return (
    <div className="flex flex-col gap-4">
      <InkChoice
        label="Ink"
        value={layer.color}
        cloth={cloth}
        onChange={(color) => onChange({ color }, "ink")}
      />
      <Slider
        label="Height"
        shown={`${Math.round(layer.ratio * 100)} % of its width`}
        value={Math.round(Math.log2(layer.ratio) * 10)}
        least={-5.5 * 10}
        most={STEPS}
        step={1}
        onChange={(value) =>
          onChange({ ratio: Math.round(2 ** (value / 10) * 1000) / 1000 }, "ratio")
        }
        onSettle={onSettle}
      />
    </div>
  );
}
