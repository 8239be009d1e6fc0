/**
 * The pages that need no session and no data: the build writes them as finished HTML, and static.tsx brings
 * them to life. Inside the app the same components are routes like all others.
 */
import type { ComponentType } from "react";

export interface StaticPage {
  /** What a search engine shows below the title. */
  description: string;
  load: () => Promise<ComponentType>;
}

export const STATIC_PAGES = {
  "/": {
    description:
      "Describe an idea or bring a photo. We draw it, print it on a shirt and ship it to your door. Designing is free; a shirt is $19.90.",
    load: () => import("@/features/landing/landing").then((file) => file.Landing),
  },
  "/faq": {
    description:
      "How designing, sizes, payment, shipping and returns work at Teesmith, and how to reach a person.",
    load: () => import("@/features/help/help-page").then((file) => file.HelpPage),
  },
  "/privacy-policy": {
    description:
      "What Teesmith knows about you, why, who else sees it, and how to have it removed.",
    load: () =>
      import("@/features/legal/privacy-policy-page").then((file) => file.PrivacyPolicyPage),
  },
  "/terms-of-service": {
    description:
      "The agreement between you and Teesmith: designs and their rights, prices, orders and payment.",
    load: () =>
      import("@/features/legal/terms-of-service-page").then((file) => file.TermsOfServicePage),
  },
  "/return-policy": {
    description:
      "Damaged, defective, wrong or misprinted? Send us a photo: you get a replacement or a full refund.",
    load: () => import("@/features/legal/return-policy-page").then((file) => file.ReturnPolicyPage),
  },
  "/accessibility": {
    description:
      "Teesmith by keyboard, screen reader, large type or your own colors: what works, how we check it, what isn't right yet.",
    load: () =>
      import("@/features/legal/accessibility-page").then((file) => file.AccessibilityPage),
  },
} satisfies Record<string, StaticPage>;

/** The page of every address that is none of the shop's. */
export const NOT_FOUND: StaticPage = {
  description: "This address has no page at Teesmith.",
  load: () => import("./pages/not-found-page").then((file) => file.NotFoundPage),
};
