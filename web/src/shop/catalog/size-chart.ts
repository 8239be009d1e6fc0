/** Garment measures in inches, laid flat. */
export const SIZE_CHART = [
  { size: "XS", width: 16.5, length: 27, sleeve: 8.6 },
  { size: "S", width: 18, length: 28, sleeve: 8.9 },
  { size: "M", width: 20, length: 29, sleeve: 9.2 },
  { size: "L", width: 22, length: 30, sleeve: 9.5 },
  { size: "XL", width: 24, length: 31, sleeve: 9.7 },
  { size: "2XL", width: 26, length: 32, sleeve: 10.0 },
  { size: "3XL", width: 28, length: 33, sleeve: 10.4 },
  { size: "4XL", width: 30, length: 34, sleeve: 10.8 },
] as const;

export const TOLERANCE = 1.5;

export const UNITS = ["Inches", "Centimeters"] as const;

const CENTIMETERS_AN_INCH = 2.54;

/** A measure of the chart in `unit`: inches as they are, with `digits` at least, centimeters to the millimeter. */
export function measure(inches: number, unit: (typeof UNITS)[number], digits = 0): string {
  if (unit === "Centimeters") return (inches * CENTIMETERS_AN_INCH).toFixed(1);
  return digits ? inches.toFixed(digits) : String(inches);
}
