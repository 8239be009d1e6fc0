/**
 * Where the print area of a size lies on the drawn shirt. Printers' areas grow with the shirt, but less than it does: the
 * same drawing covers two thirds of an XS and half of a 4XL.
 */

import { SIZE_CHART } from "@/shop/catalog/size-chart";
import { IDEAL_DPI, type Size } from "@/shop/scene/placement";
import type { Side } from "@/shop/scene/scene";

/** The part of the drawn shirt (components/print/tee.tsx) that the stage shows. */
export const VIEW = { left: 70, top: 14, width: 260, height: 268 };
const BODY_WIDTH = 232;
const MIDDLE = 200;
/** How far below the shirt's upper edge a print area begins: the collar hangs lower in front. */
const TOP: Record<Side, number> = { front: 72, back: 58 };
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** In units of the drawn shirt. */
export function areaOnShirt(side: Side, size: string, area: Size): Box {
  const measured = SIZE_CHART.find((row) => row.size === size) ?? SIZE_CHART[2];
  const inch = BODY_WIDTH / measured.width;
  const width = (area.width / IDEAL_DPI) * inch;
  return {
    left: MIDDLE - width / 2,
    top: TOP[side],
    width,
    height: (area.height / IDEAL_DPI) * inch,
  };
}

/** How much of the shirt's width the area covers, from 0 to 1. */
export function coverage(size: string, area: Size): number {
  return areaOnShirt("front", size, area).width / BODY_WIDTH;
}
