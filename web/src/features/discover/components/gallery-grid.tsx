import { type ReactNode, useState } from "react";
import { GalleryCard } from "@/components/gallery/gallery-card";
import { Button } from "@/components/ui/button";
import type { GalleryItem } from "@/shop/gallery/gallery-items";
import { useLikes } from "@/shop/gallery/use-likes";
import { FIRST_ROW, onceEach } from "../api/list-gallery";
import { DesignDialog } from "./design-dialog";
import { GRID } from "./gallery-skeleton";

interface GalleryGridProps {
  pages: GalleryItem[][];
  /** Undefined once all are here. */
  more: (() => void) | undefined;
  loadingMore: boolean;
  /** Other designs are on their way. */
  busy?: boolean;
  /** Below the last one. */
  end?: ReactNode;
}

/** Cards of public designs, page after page, each of which opens in a dialog. */
export function GalleryGrid({ pages, more, loadingMore, busy, end }: GalleryGridProps) {
  const items = onceEach(pages.flat());
  const likes = useLikes(pages.map((page) => page.map((item) => item.id)));
  const [openId, setOpenId] = useState<string>();
  return (
    <>
      <ul className={GRID} aria-busy={busy ?? false}>
        {items.map((item, index) => (
          <GalleryCard
            key={item.id}
            item={item}
            likes={likes}
            first={index < FIRST_ROW}
            onOpen={() => setOpenId(item.id)}
          />
        ))}
      </ul>
      <div className="mt-12 flex justify-center text-center">
        {more ? (
          <Button variant="secondary" busy={loadingMore} onClick={more}>
            Load More Designs
          </Button>
        ) : (
          end
        )}
      </div>
      <DesignDialog
        item={items.find((item) => item.id === openId)}
        likes={likes}
        onClose={() => setOpenId(undefined)}
      />
    </>
  );
}
