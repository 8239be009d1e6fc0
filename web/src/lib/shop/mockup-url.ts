/** The print provider's pictures of a product on a shirt. */
import { getEnv } from "@/lib/env";

export const MOCKUP_VIEWS = [
  { id: 102048, name: "Front" },
  { id: 102049, name: "Hanger" },
  { id: 102046, name: "Flat" },
  { id: 92581, name: "Male Model" },
  { id: 92584, name: "Female Model" },
] as const;

const FRONT_VIEW = 102048;

interface Mockup {
  productId: string;
  printifyVariantId: number;
  view?: number;
  size?: number;
}

export function mockupUrl({
  productId,
  printifyVariantId,
  view = FRONT_VIEW,
  size = 800,
}: Mockup): string {
  const path = [productId, printifyVariantId, view]
    .map((part) => encodeURIComponent(part))
    .join("/");
  return `${getEnv().MOCKUP_BASE_URL}/mockup/${path}/mockup.jpg?s=${size}`;
}
