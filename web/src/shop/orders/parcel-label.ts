/** What fits on a parcel's label: the longest texts, and the signs that the printer prints. */
import label from "../../../../functions/_shared/shipping/parcel_label.json";

const NOT_PRINTED = new RegExp(`[^${label.printed}]`, "u");

/** The longest text of each field of an address. */
export const LONGEST = label.longest;
/** The digit zero in the scripts whose digits are understood. */
export const ZEROS: readonly string[] = Array.from(label.zeros);

/** The first sign that the printer cannot print. */
export function notPrinted(text: string): string | undefined {
  return NOT_PRINTED.exec(text)?.[0];
}
