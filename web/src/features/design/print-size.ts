/**
 * How large a design will be printed, and how sharp: the rule of functions/_shared/designs/placement.py, on the largest
 * print area of the shirt. print-size.examples.json holds the two together.
 */

/** Pixels of the shirt's largest front area, at the density that a printer likes best. */
const AREA = { width: 4500, height: 5100 };
const IDEAL_DPI = 300;
const LEAST_DPI = 150;
/** Enlarged further than this, a picture gets no sharper. */
const MOST_ENLARGED = 4;
const WIDEST = 0.92;
const TOP_MARGIN = 0.04;

interface Ink {
  width: number;
  height: number;
}

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
export function printSize(ink: Ink): PrintSize {
  const tallness = (ink.height / ink.width) * (AREA.width / AREA.height);
  const fullScale = Math.min(WIDEST, (1 - 2 * TOP_MARGIN) / tallness);
  const pixels = ink.width * MOST_ENLARGED;
  const sharpScale = pixels / LEAST_DPI / (AREA.width / IDEAL_DPI);
  const inchesOf = (scale: number) => (scale * AREA.width) / IDEAL_DPI;
  const inches = inchesOf(Math.min(fullScale, sharpScale));
  return {
    inches,
    dpi: Math.round(Math.min(IDEAL_DPI, pixels / inches)),
    fullSizeDpi: Math.round(pixels / inchesOf(fullScale)),
    low: sharpScale < fullScale,
  };
}
