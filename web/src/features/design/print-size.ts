/**
 * How large a design will be printed, and how sharp, on the largest print area of the shirt.
 * print-size.examples.json holds it to the functions' rule.
 */
import {
  fullScale,
  IDEAL_DPI,
  LARGEST_AREA,
  MOST_ENLARGED,
  type Size,
  sharpScale,
} from "@/shop/scene/placement";

export interface PrintSize {
  /** The print's width. */
  inches: number;
  /** Pixels an inch of the file that is printed. */
  dpi: number;
  /** What it would have at the full size of a front print. Below 150 it is printed smaller instead. */
  fullSizeDpi: number;
  low: boolean;
}

/** `ink` has the pixels of the design without its transparent margins. */
export function printSize(ink: Size): PrintSize {
  const [full, sharp] = [fullScale(ink, LARGEST_AREA), sharpScale(ink, LARGEST_AREA)];
  const pixels = ink.width * MOST_ENLARGED;
  const inchesOf = (scale: number) => (scale * LARGEST_AREA.width) / IDEAL_DPI;
  const inches = inchesOf(Math.min(full, sharp));
  return {
    inches,
    dpi: Math.round(Math.min(IDEAL_DPI, pixels / inches)),
    fullSizeDpi: Math.round(pixels / inchesOf(full)),
    low: sharp < full,
  };
}
