/** Common places of prints, as printers name them. `width` and `top` are inches on a shirt of the largest area. */

import { IDEAL_DPI, type Size } from "@/shop/scene/placement";
import type { Side } from "@/shop/scene/scene";
import type { Place } from "../stage/gestures";

export interface Placement {
  name: string;
  /** Inches: the widest, and the tallest. */
  width: number;
  height: number;
  /** Of the print's middle, as a share of the area's width. */
  x: number;
  /** Of its upper edge below the area's, in inches. */
  top: number;
}

export const PLACEMENTS: Record<Side, readonly Placement[]> = {
  front: [
    { name: "Full front", width: 13.8, height: 15.6, x: 0.5, top: 0.7 },
    { name: "Center chest", width: 9, height: 9, x: 0.5, top: 1.5 },
    { name: "Left chest", width: 4, height: 4, x: 0.76, top: 1.5 },
  ],
  back: [
    { name: "Full back", width: 13.8, height: 15.6, x: 0.5, top: 0.7 },
    { name: "Upper back", width: 12, height: 5, x: 0.5, top: 1.5 },
    { name: "Nape", width: 3.5, height: 2.5, x: 0.5, top: 0.3 },
  ],
};

/** Upright, as large as the place allows. */
export function placeAt(placement: Placement, ratio: number, area: Size): Place {
  const width = Math.min(placement.width, placement.height / ratio) * IDEAL_DPI;
  return {
    x: placement.x,
    y: (placement.top * IDEAL_DPI + (width * ratio) / 2) / area.height,
    scale: width / area.width,
    angle: 0,
  };
}
