/** What search engines read of a page beside its text (schema.org). `SITE_URL` is filled in where the page is served. */
import type { FAQPage, Graph, ItemList, WithContext } from "schema-dts";
import { TOPICS } from "@/features/help/topics";
import { formatPrice } from "@/lib/text/format";
import { PROMO_PRICE_CENTS } from "@/shop/catalog/pricing";
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

/** Repeated for each design of the page. */
const LISTED_DESIGN = {
  "@type": "ListItem" as const,
  "data-each": "designs",
  position: "__place__",
  name: "__design_name__",
  url: `${HOME}design/__design_id__`,
};

/** With marks, as all that follow (design-template.ts). */
export const GALLERY_DATA: WithContext<ItemList> = {
  "@context": "https://schema.org",
  "@type": "ItemList",
  name: "Designs made at Teesmith",
  itemListElement: [LISTED_DESIGN],
};

export const CREATOR_DESCRIPTION =
  "Designs by __creator__, made at Teesmith: put one on a t-shirt in your size and color.";

export const CREATOR_DATA: Graph = {
  "@context": "https://schema.org",
  "@graph": [
    {
      "@type": "ProfilePage",
      url: `${HOME}creator/__creator_id__`,
      mainEntity: { "@type": "Person", name: "__creator__" },
    },
    { "@type": "ItemList", name: "Designs by __creator__", itemListElement: [LISTED_DESIGN] },
  ],
};

const PRICE = PROMO_PRICE_CENTS / 100;

export const DESIGN_DESCRIPTION = `__short_name__: a t-shirt with a design by __creator__, printed to order for ${formatPrice(PRICE)}, in __color_names__.`;

export const DESIGN_DATA: Graph = {
  "@context": "https://schema.org",
  "@graph": [
    {
      "@type": "Product",
      name: "__short_name__",
      description: DESIGN_DESCRIPTION,
      sku: "__design_id__",
      image: "__link_picture__",
      color: "__color_names__",
      brand: { "@type": "Brand", name: "Teesmith" },
      offers: {
        "@type": "Offer",
        url: `${HOME}design/__design_id__`,
        price: PRICE.toFixed(2),
        priceCurrency: "USD",
        availability: "https://schema.org/InStock",
        itemCondition: "https://schema.org/NewCondition",
        seller: { "@id": SHOP },
      },
    },
    {
      "@type": "BreadcrumbList",
      itemListElement: [
        { "@type": "ListItem", position: 1, name: "Teesmith", item: HOME },
        { "@type": "ListItem", position: 2, name: "Discover", item: `${HOME}discover` },
        { "@type": "ListItem", position: 3, name: "__short_name__" },
      ],
    },
  ],
};
