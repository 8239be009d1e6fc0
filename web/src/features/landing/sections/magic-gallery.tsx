import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useLatestDesigns } from "../api/list-latest-designs";

const PLACES = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** What other people have made lately. An empty gallery takes no room. */
export function MagicGallery() {
  const designs = useLatestDesigns();
  if (designs.isError || designs.data?.length === 0) return null;
  return (
    <section aria-labelledby="gallery-title" className="border-y border-line bg-sunk">
      <div className="shell py-14 sm:py-20">
        <div className="mb-10 flex flex-wrap items-end justify-between gap-6">
          <h2 id="gallery-title" className="display-2 max-w-xl">
            Fresh off the press
          </h2>
          <Button asChild variant="secondary">
            <Link to="/auth">Make your own</Link>
          </Button>
        </div>
        <ul
          className="grid grid-cols-2 gap-x-4 gap-y-7 sm:gap-x-6 lg:grid-cols-4"
          aria-busy={designs.isPending}
        >
          {designs.data?.map((design) => (
            <li key={design.id} className="group">
              <ImageFrame
                sources={[design.picture]}
                alt=""
                size={256}
                empty={null}
                className="rounded-card border border-line bg-raised shadow-plate transition-transform group-hover:-translate-y-1 group-hover:-rotate-1 motion-reduce:transition-none"
              />
              <p className="mt-3 line-clamp-2 text-sm font-semibold">{design.name}</p>
            </li>
          )) ??
            PLACES.map((place) => (
              <li key={place}>
                <Skeleton className="aspect-square rounded-card" />
              </li>
            ))}
        </ul>
      </div>
    </section>
  );
}
