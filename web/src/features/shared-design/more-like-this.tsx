import { Link } from "react-router-dom";
import { GalleryPicture } from "@/components/gallery/gallery-picture";
import { useRelatedDesigns } from "./api/list-related-designs";

/** Decoration: where there is nothing like it, or it could not be read, the page ends before it. */
export function MoreLikeThis({ designId }: { designId: string }) {
  const related = useRelatedDesigns(designId).data ?? [];
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="more-like-this" className="shell pt-4 pb-14">
      <h2 id="more-like-this" className="mb-6 border-t border-line pt-8 text-2xl">
        More like this
      </h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-8 sm:gap-x-6 md:grid-cols-4">
        {related.map((item) => (
          <li key={item.id} className="group relative">
            <GalleryPicture
              item={item}
              alt=""
              size={256}
              className="rounded-card border border-line bg-raised shadow-plate"
            />
            <Link
              to={`/design/${item.id}`}
              className="mt-3 line-clamp-2 text-[0.95rem] leading-snug font-semibold wrap-anywhere after:absolute after:inset-0 after:rounded-card group-hover:underline"
            >
              {item.name}
            </Link>
            <p className="truncate text-sm text-ink-soft">by {item.creatorName}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
