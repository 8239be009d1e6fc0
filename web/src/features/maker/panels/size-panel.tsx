import { useId } from "react";
import { Label, NativeSelect } from "@/components/ui/field";
import { IDEAL_DPI } from "@/shop/scene/placement";
import type { Side } from "@/shop/scene/scene";
import type { SizeAreas } from "../api/list-print-areas";
import { coverage } from "../stage/print-area";

interface SizePanelProps {
  areas: readonly SizeAreas[];
  chosen: SizeAreas;
  side: Side;
  onChoose: (size: string) => void;
}

const inches = (pixels: number) => (pixels / IDEAL_DPI).toFixed(1);

/** The size in view, its print area, and what becomes of the drawing on other sizes. */
export function SizePanel({ areas, chosen, side, onChoose }: SizePanelProps) {
  const id = useId();
  const area = chosen[side];
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Label htmlFor={id}>Shown on size</Label>
        <NativeSelect
          id={id}
          value={chosen.size}
          onChange={(event) => onChoose(event.target.value)}
          className="w-24"
        >
          {areas.map(({ size }) => (
            <option key={size}>{size}</option>
          ))}
        </NativeSelect>
        <p className="text-sm text-ink-soft tabular-nums">
          Print area {inches(area.width)} × {inches(area.height)} in
        </p>
      </div>
      <p className="text-sm text-ink-soft">{otherSizes(areas, chosen, side)}</p>
    </div>
  );
}

/** The shares of the area stay, and areas grow less than shirts. */
function otherSizes(areas: readonly SizeAreas[], chosen: SizeAreas, side: Side): string {
  const shares = areas.map(({ size, [side]: area }) => ({ size, share: coverage(size, area) }));
  const here = coverage(chosen.size, chosen[side]);
  const largest = shares.at(-1);
  if (!largest || largest.size === chosen.size || here - largest.share < 0.04) {
    const smallest = shares[0];
    if (!smallest || smallest.share - here < 0.04) return "Other sizes look nearly the same.";
    return `On smaller shirts it covers more: the area is ${percent(smallest.share)} of an ${smallest.size} and ${percent(here)} of this size.`;
  }
  return `On larger shirts it looks smaller: the area is ${percent(here)} of the width of this size, and ${percent(largest.share)} of a ${largest.size}.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
