import { Heart, Share2 } from "lucide-react";
import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { Button } from "@/components/ui/button";
import { imageSource } from "@/lib/image-source";
import { shareDesignLink } from "@/lib/shop/share-link";
import type { GalleryItem } from "../api/list-gallery";

export function GalleryCard({ item }: { item: GalleryItem }) {
  return (
    <li className="group relative flex flex-col">
      <ImageFrame
        sources={[imageSource(item.thumbnail)]}
        alt=""
        size={256}
        empty="No preview"
        className="rounded-card border border-line bg-raised shadow-plate"
      />
      <h2 className="mt-3 line-clamp-2 font-sans text-[0.95rem] font-semibold leading-snug tracking-normal">
        {/* The link covers the card; the share button lies above it. */}
        <Link
          to={`/design/${item.id}`}
          className="after:absolute after:inset-0 after:rounded-card group-hover:underline"
        >
          {item.name}
        </Link>
      </h2>
      <div className="flex items-center gap-1 text-sm text-ink-soft">
        <p className="min-w-0 flex-1 truncate">by {item.creatorName}</p>
        <p className="flex items-center gap-1 tabular-nums">
          <Heart aria-hidden="true" className="size-4" />
          {item.likeCount}
          <span className="sr-only"> likes</span>
        </p>
        <Button
          variant="ghost"
          size="icon"
          className="relative z-10 -mr-2.5"
          aria-label={`Share: ${item.name}`}
          onClick={() => shareDesignLink(item.id)}
        >
          <Share2 aria-hidden="true" />
        </Button>
      </div>
    </li>
  );
}
