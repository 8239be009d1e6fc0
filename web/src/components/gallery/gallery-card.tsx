import { Eye, Share2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { shareDesignLink } from "@/shop/designs/share-link";
import type { GalleryItem } from "@/shop/gallery/gallery-items";
import type { Likes } from "@/shop/gallery/use-likes";
import { GalleryPicture } from "./gallery-picture";
import { LikeButton } from "./like-button";

interface GalleryCardProps {
  item: GalleryItem;
  likes: Likes;
  /** On the first screen. */
  first: boolean;
  onOpen: () => void;
}

export function GalleryCard({ item, likes, first, onOpen }: GalleryCardProps) {
  return (
    <li className="group relative flex flex-col">
      <GalleryPicture
        item={item}
        alt=""
        size={256}
        eager={first}
        className="rounded-card border border-line bg-raised shadow-plate"
      />
      <h2 className="mt-3 font-sans text-[0.95rem] leading-snug font-semibold tracking-normal">
        {/* The button covers the card; the smaller ones lie above it. */}
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className="line-clamp-2 text-left wrap-anywhere after:absolute after:inset-0 after:rounded-card group-hover:underline"
        >
          {item.name}
        </button>
      </h2>
      <p className="truncate text-sm text-ink-soft">by {item.creatorName}</p>
      <div className="relative z-10 -ml-2 mt-auto flex items-center pt-0.5">
        <LikeButton item={item} likes={likes} />
        <Button
          variant="ghost"
          size="icon"
          className="ml-auto text-ink-soft"
          aria-label={`Share: ${item.name}`}
          onClick={() => shareDesignLink(item.id, "gallery")}
        >
          <Share2 aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          className="text-ink-soft"
          aria-label={`View: ${item.name}`}
          onClick={onOpen}
        >
          <Eye aria-hidden="true" />
        </Button>
      </div>
    </li>
  );
}
