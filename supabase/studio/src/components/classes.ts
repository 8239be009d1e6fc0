/** Class names as one text; what is false is left out. */
export function cn(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
