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
