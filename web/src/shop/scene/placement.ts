/** A design's place on the shirt before anyone moves it: the rule of functions/_shared/designs/placement.py. */

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The largest print area of the shirts that are sold, at 300 pixels an inch. */
export const LARGEST_AREA: Size = { width: 4500, height: 5100 };
export const IDEAL_DPI = 300;
/** Below it a print looks soft. */
export const LEAST_DPI = 150;
/** Enlarged further than this, a picture gets no sharper. */
export const MOST_ENLARGED = 4;
const WIDEST = 0.92;
const TOP_MARGIN = 0.04;

/** The share of the area's width that a full front print of a picture without margins has. */
export function fullScale(ink: Size, area: Size): number {
  return Math.min(WIDEST, (1 - 2 * TOP_MARGIN) / tallness(ink, area));
}

/** The share of the area's width at which the enlarged picture just looks sharp. */
export function sharpScale(ink: Size, area: Size): number {
  return (Math.round(ink.width * MOST_ENLARGED) / LEAST_DPI) * (IDEAL_DPI / area.width);
}

/** Centre and width of the print as shares of the area, as the printer has them. */
export function placement(ink: Size, area: Size): { x: number; y: number; scale: number } {
  const scale = Math.min(fullScale(ink, area), sharpScale(ink, area));
  const y = TOP_MARGIN + (scale * tallness(ink, area)) / 2;
  return { x: 0.5, y: rounded(y), scale: rounded(scale) };
}

/** The picture's height as a share of the area's, when as wide as the area. */
function tallness(ink: Size, area: Size): number {
  return (ink.height / ink.width) * (area.width / area.height);
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}
