import { Share2 } from "lucide-react";
import { ReportDesign } from "@/components/report/report-design";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { formatDate } from "@/lib/text/format";
import { shareDesignLink } from "@/shop/designs/share-link";
import { useImport } from "@/shop/designs/use-import";
import type { GalleryItem } from "../api/list-gallery";
import type { Likes } from "../use-like";
import { GalleryPicture } from "./gallery-picture";
import { LikeButton } from "./like-button";

interface DesignDialogProps {
  item: GalleryItem | undefined;
  likes: Likes;
  onClose: () => void;
}

export function DesignDialog({ item, likes, onClose }: DesignDialogProps) {
  return (
    <Dialog open={item !== undefined} onOpenChange={(open) => (open ? undefined : onClose())}>
      {item ? (
        <DialogContent className="max-w-3xl gap-6 p-4 sm:p-6">
          <DesignSheet item={item} likes={likes} />
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

function DesignSheet({ item, likes }: { item: GalleryItem; likes: Likes }) {
  const { importing, importNow } = useImport(item.id);
  return (
    <div className="grid items-center gap-5 sm:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] sm:gap-8">
      <GalleryPicture
        shirtFirst
        item={item}
        alt={item.name}
        size={800}
        className="halftone w-full rounded-card border border-line"
      />
      <div className="flex flex-col gap-4">
        <DialogTitle className="line-clamp-5 text-2xl leading-tight tracking-tight wrap-anywhere sm:pr-0">
          {item.name}
        </DialogTitle>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1">
          <dt className="text-ink-soft">Creator</dt>
          <dd className="truncate font-semibold">{item.creatorName}</dd>
          <dt className="text-ink-soft">Published</dt>
          <dd className="font-semibold tabular-nums">{formatDate(item.publishedAt)}</dd>
        </dl>
        <DialogDescription className="text-sm">
          This is how you get the shirt: take a copy into your collection, choose its color, and
          order it in your size.
        </DialogDescription>
        <Button busy={importing} onClick={importNow} className="w-full">
          {importing ? "Importing..." : "Use This Design"}
        </Button>
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
