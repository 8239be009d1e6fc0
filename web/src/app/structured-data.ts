/** What search engines read of a page beside its text (schema.org). `SITE_URL` is filled in where the page is served. */
import type { FAQPage, Graph, WithContext } from "schema-dts";
import { TOPICS } from "@/features/help/topics";
import { SUPPORT_EMAIL } from "@/shop/support";

const HOME = "SITE_URL/";
const SHOP = `${HOME}#shop`;

export const SHOP_DATA: Graph = {
  "@context": "https://schema.org",
  "@graph": [
    {
      "@type": "OnlineStore",
      "@id": SHOP,
      name: "Teesmith",
      url: HOME,
      logo: `${HOME}icon-512.png`,
      email: SUPPORT_EMAIL,
    },
    { "@type": "WebSite", name: "Teesmith", url: HOME, publisher: { "@id": SHOP } },
  ],
};

export const HELP_DATA: WithContext<FAQPage> = {
  "@context": "https://schema.org",
  "@type": "FAQPage",
  mainEntity: TOPICS.flatMap(({ questions }) =>
    questions.map(({ question, answer }) => ({
      "@type": "Question" as const,
      name: question,
      acceptedAnswer: { "@type": "Answer" as const, text: answer },
    })),
  ),
};
