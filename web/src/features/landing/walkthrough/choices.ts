/** What the walkthrough offers: pictures that the artist drew beforehand for these ideas, in these styles. */
import dogCartoon from "../pictures/demo-dog-cartoon.webp";
import dogVintage from "../pictures/demo-dog-vintage.webp";
import dogWatercolor from "../pictures/demo-dog-watercolor.webp";
import foxCartoon from "../pictures/demo-fox-cartoon.webp";
import foxVintage from "../pictures/demo-fox-vintage.webp";
import foxWatercolor from "../pictures/demo-fox-watercolor.webp";
import whaleCartoon from "../pictures/demo-whale-cartoon.webp";
import whaleVintage from "../pictures/demo-whale-vintage.webp";
import whaleWatercolor from "../pictures/demo-whale-watercolor.webp";

export const STYLES = ["Cartoon", "Watercolor", "Vintage"] as const;
export type Style = (typeof STYLES)[number];

export interface Idea {
  words: string;
  pictures: Record<Style, string>;
}

export const IDEAS: readonly [Idea, ...Idea[]] = [
  {
    words: "A fox reading a book in the forest",
    pictures: { Cartoon: foxCartoon, Watercolor: foxWatercolor, Vintage: foxVintage },
  },
  {
    words: "A whale with a lighthouse",
    pictures: { Cartoon: whaleCartoon, Watercolor: whaleWatercolor, Vintage: whaleVintage },
  },
  {
    words: "A dog wearing sunglasses on a skateboard",
    pictures: { Cartoon: dogCartoon, Watercolor: dogWatercolor, Vintage: dogVintage },
  },
];

export const COLORS = [
  { name: "White", hex: "#FFFFFF" },
  { name: "Sand", hex: "#CABFAD" },
  { name: "Light Blue", hex: "#A3B3CB" },
  { name: "Light Pink", hex: "#E4C6D4" },
] as const;

export const SIZES = ["XS", "S", "M", "L", "XL", "2XL", "3XL", "4XL"] as const;

export const STEPS = ["Idea", "Style", "Color", "Order"] as const;
