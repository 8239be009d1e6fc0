import type { ItemList, WithContext } from "schema-dts";
import { designUrl } from "@/shop/designs/share-link";
import type { GalleryItem } from "@/shop/gallery/gallery-items";

/** What search engines read of the gallery: the designs of its first page, in its order (schema.org). */
export function GalleryData({ items }: { items: readonly GalleryItem[] }) {
  if (items.length === 0) return null;
  const data: WithContext<ItemList> = {
    "@context": "https://schema.org",
    "@type": "ItemList",
    itemListElement: items.map((item, place) => ({
      "@type": "ListItem" as const,
      position: place + 1,
      name: item.name,
      url: designUrl(item.id),
    })),
  };
  return <script type="application/ld+json">{JSON.stringify(data)}</script>;
}
