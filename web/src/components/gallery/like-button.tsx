import { Heart } from "lucide-react";
import { cn } from "@/lib/text/cn";
import type { GalleryItem } from "@/shop/gallery/gallery-items";
import type { Likes } from "@/shop/gallery/use-likes";

interface LikeButtonProps {
  item: Pick<GalleryItem, "id" | "name" | "likeCount">;
  likes: Likes;
  className?: string;
}

export function LikeButton({ item, likes, className }: LikeButtonProps) {
  const liked = likes.isLiked(item.id);
  const count = `${item.likeCount} ${item.likeCount === 1 ? "like" : "likes"}`;
  return (
    <button
      type="button"
      aria-pressed={liked}
      aria-label={`Like: ${item.name}, ${count}`}
      onClick={() => likes.toggle(item.id)}
      className={cn(
        "flex h-10 min-w-10 items-center justify-center gap-1.5 rounded-lg base:px-2 text-sm font-semibold tabular-nums base:text-ink-soft hover:bg-sunk base:hover:text-ink",
        liked && "text-tomato-text hover:text-tomato-text",
        className,
      )}
    >
      <Heart
        aria-hidden="true"
        className={cn(
          "size-[1.15em] transition-transform motion-reduce:transition-none",
          liked && "scale-110 fill-current",
        )}
      />
      {item.likeCount}
    </button>
  );
}
