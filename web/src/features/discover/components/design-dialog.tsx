import { Share2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { LikeButton } from "@/components/gallery/like-button";
import { ReportDesign } from "@/components/report/report-design";
import { ColoredShirt } from "@/components/shirt/colored-shirt";
import { ShirtOffer } from "@/components/shirt/shirt-offer";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { formatDate } from "@/lib/text/format";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups, groupOfVariant, sizesOfColor } from "@/shop/catalog/variants";
import { mockupUrl } from "@/shop/designs/mockup-url";
import { shareDesignLink } from "@/shop/designs/share-link";
import { useImport } from "@/shop/designs/use-import";
import type { GalleryItem } from "@/shop/gallery/gallery-items";
import type { Likes } from "@/shop/gallery/use-likes";
import { useDesignPicture } from "../api/get-design-picture";

interface DesignDialogProps {
  item: GalleryItem | undefined;
  likes: Likes;
  onClose: () => void;
}

export function DesignDialog({ item, likes, onClose }: DesignDialogProps) {
  return (
    <Dialog open={item !== undefined} onOpenChange={(open) => (open ? undefined : onClose())}>
      {item ? (
        <DialogContent className="max-w-4xl gap-6 p-4 sm:p-6">
          <DesignSheet item={item} likes={likes} />
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

function useShirt(item: GalleryItem) {
  const [chosenId, choose] = useState(item.colorId);
  const variants = useProductVariants().data ?? [];
  const groups = colorGroups(variants);
  const own = groupOfVariant(groups, item.colorId);
  const color = groupOfVariant(groups, chosenId) ?? groups[0];
  return {
    groups,
    own,
    color,
    choose,
    sizes: color ? sizesOfColor(variants, color.name) : [],
    mockup:
      item.productId && own
        ? mockupUrl({
            productId: item.productId,
            printifyVariantId: own.variant.printify_variant_id,
          })
        : undefined,
  };
}

function DesignSheet({ item, likes }: { item: GalleryItem; likes: Likes }) {
  const { importing, ordering, importNow, orderNow } = useImport(item.id);
  const shirt = useShirt(item);
  // The thumbnail has the ground of the design's own color, so it lies on no other shirt.
  const picture = useDesignPicture(item.id).data;
  const isOwnColor = shirt.color?.name === shirt.own?.name;
  return (
    <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] sm:gap-8">
      <div className="sm:sticky sm:top-0">
        <ColoredShirt
          name={item.name}
          mockup={shirt.mockup}
          photographed={shirt.own}
          color={shirt.color}
          pictures={isOwnColor ? [picture, item.thumbnail] : [picture]}
        />
      </div>
      <div className="flex flex-col gap-4">
        <DialogTitle className="line-clamp-5 text-2xl leading-tight tracking-tight wrap-anywhere">
          {item.name}
        </DialogTitle>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1">
          <dt className="text-ink-soft">Creator</dt>
          <dd className="truncate font-semibold">
            <Link
              to={`/creator/${item.creatorId}`}
              className="underline decoration-line-strong underline-offset-4 hover:decoration-ink"
            >
              {item.creatorName}
            </Link>
          </dd>
          <dt className="text-ink-soft">Published</dt>
          <dd className="font-semibold tabular-nums">{formatDate(item.publishedAt)}</dd>
        </dl>
        <ShirtOffer
          groups={shirt.groups}
          color={shirt.color}
          sizes={shirt.sizes}
          pictures={[picture]}
          onChoose={(group) => shirt.choose(group.variant.id)}
        />
        <div className="flex flex-col gap-3">
          <Button
            busy={ordering}
            disabled={importing}
            onClick={() => orderNow(shirt.color?.variant.id)}
          >
            Order this shirt
          </Button>
          <Button variant="secondary" busy={importing} disabled={ordering} onClick={importNow}>
            {importing ? "Importing..." : "Use This Design"}
          </Button>
        </div>
        <DialogDescription className="text-sm">
          Either way a copy comes into your collection. Order it as it is, or use it to look at it
          from all sides first.
        </DialogDescription>
        <div className="flex items-center gap-2">
          <LikeButton item={item} likes={likes} className="border border-line px-3" />
          <Button
            variant="ghost"
            size="sm"
            className="h-10 border border-line"
            onClick={() => shareDesignLink(item.id, "gallery")}
          >
            <Share2 aria-hidden="true" />
            Share
          </Button>
        </div>
        <ReportDesign designId={item.id} className="-mt-2 self-start" />
      </div>
    </div>
  );
}
