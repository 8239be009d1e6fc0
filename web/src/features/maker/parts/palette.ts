/** Inks that print well on cotton, and how well each shows on a shirt. */
export interface Ink {
  name: string;
  hex: string;
}

export const INKS: readonly Ink[] = [
  { name: "White", hex: "#ffffff" },
  { name: "Cream", hex: "#f4e9d2" },
  { name: "Silver", hex: "#b9bec4" },
  { name: "Charcoal", hex: "#41464d" },
  { name: "Black", hex: "#16120f" },
  { name: "Sunflower", hex: "#ffc53a" },
  { name: "Orange", hex: "#f58220" },
  { name: "Tomato", hex: "#f0492f" },
  { name: "Red", hex: "#c8102e" },
  { name: "Maroon", hex: "#6d1a36" },
  { name: "Pink", hex: "#f59ac0" },
  { name: "Magenta", hex: "#d0207d" },
  { name: "Violet", hex: "#6b3fa0" },
  { name: "Navy", hex: "#1f2a54" },
  { name: "Cobalt", hex: "#2746e6" },
  { name: "Sky", hex: "#6cc0ee" },
  { name: "Teal", hex: "#0f8a8a" },
  { name: "Mint", hex: "#35b38a" },
  { name: "Green", hex: "#1f7a3f" },
  { name: "Lime", hex: "#a6ce39" },
  { name: "Olive", hex: "#6b6b2b" },
  { name: "Sand", hex: "#d9c39a" },
  { name: "Tan", hex: "#b98049" },
  { name: "Brown", hex: "#5e3a22" },
];

/** Under this difference (CIE 1976) the cloth swallows an ink. */
const LEAST_DIFFERENCE = 18;

export function isSwallowed(ink: string, cloth: string): boolean {
  const [a, b] = [lab(ink), lab(cloth)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < LEAST_DIFFERENCE;
}

/** The ink that shows best on a cloth. */
export function bestInk(cloth: string): string {
  return lab(cloth)[0] > 60 ? "#16120f" : "#ffffff";
}

type Lab = readonly [number, number, number];
const known = new Map<string, Lab>();

function lab(hex: string): Lab {
  const value = known.get(hex) ?? labOf(hex);
  known.set(hex, value);
  return value;
}

/** CIELAB under D65, of an sRGB colour. */
function labOf(hex: string): Lab {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(hex.slice(at, at + 2)));
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function linear(digits: string): number {
  const share = Number.parseInt(digits, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function curve(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
}
