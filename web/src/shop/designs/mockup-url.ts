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

/** The five views, and the back where something is printed there and the printer has said which camera shows it. */
export function mockupViews(hasBack: boolean, backView: number | null | undefined) {
  return hasBack && backView ? [...MOCKUP_VIEWS, { id: backView, name: "Back" }] : MOCKUP_VIEWS;
}

interface Mockup {
  productId: string;
  printifyVariantId: number | string;
  view?: number;
  size?: number;
}

export function mockupUrl(mockup: Mockup): string {
  return getEnv().MOCKUP_BASE_URL + mockupPath(mockup);
}

/** Below the provider's host. */
export function mockupPath(mockup: Mockup): string {
  const { productId, printifyVariantId, view = FRONT_VIEW, size = 800 } = mockup;
  const path = [productId, printifyVariantId, view]
    .map((part) => encodeURIComponent(part))
    .join("/");
  return `/mockup/${path}/mockup.jpg?s=${size}`;
}
