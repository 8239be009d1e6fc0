/** Numbers as text, the same to the character in functions/_shared/scene/numbers.py. */

/** `value` with at most so many decimals: halves rounded up, no zeros at the end. */
export function fixed(value: number, places = 2): string {
  const unit = 10 ** places;
  const rounded = Math.floor(value * unit + 0.5);
  const size = Math.abs(rounded);
  const decimals = String(size % unit)
    .padStart(places, "0")
    .replace(/0+$/, "");
  const whole = `${rounded < 0 ? "-" : ""}${Math.floor(size / unit)}`;
  return decimals ? `${whole}.${decimals}` : whole;
}
