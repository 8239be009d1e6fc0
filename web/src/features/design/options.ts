/** The choices of both forms; the functions know them by these names. */
export const AI_STYLES = [
  "Realistic photo",
  "Cartoon",
  "Sketch",
  "Watercolor",
  "Minimalist",
  "Vintage",
  "Abstract",
  "Doodle",
  "Line art",
  "Caricature",
] as const;

export const PICTURE_STYLES = [
  "Caricature",
  "Cartoon",
  "Line art",
  "Pop art",
  "Watercolor",
  "Sketch",
  "Vintage",
  "Ghibli",
  "Other",
] as const;

export const MOODS = [
  "colorful",
  "bold",
  "pastel",
  "muted",
  "monochrome",
  "earthy",
  "dark",
  "bright",
  "elegant",
] as const;
