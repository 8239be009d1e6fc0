/** Applies a like to the lists on the screen. */
import type { InfiniteData } from "@tanstack/react-query";
import type { GalleryItem } from "./gallery-items";

export function withLike(
  likes: ReadonlySet<string> | undefined,
  designId: string,
  liked: boolean,
): ReadonlySet<string> {
  const next = new Set(likes);
  if (liked) next.add(designId);
  else next.delete(designId);
  return next;
}

/** One like more or less, never below none. */
export function likeCountAfter(count: number, liked: boolean): number {
  return Math.max(0, count + (liked ? 1 : -1));
}

interface Page {
  items: GalleryItem[];
}

export function withLikeCount<P extends Page>(
  gallery: InfiniteData<P> | undefined,
  designId: string,
  liked: boolean,
): InfiniteData<P> | undefined {
  if (!gallery) return gallery;
  const pages = gallery.pages.map((page) => ({
    ...page,
    items: page.items.map((item) =>
      item.id === designId ? { ...item, likeCount: likeCountAfter(item.likeCount, liked) } : item,
    ),
  }));
  return { ...gallery, pages };
}
