import { Skeleton } from "@/components/ui/skeleton";

const SKELETONS = Array.from({ length: 12 }, (_, index) => index);

export const GRID = "grid grid-cols-2 gap-x-4 gap-y-8 sm:gap-x-6 md:grid-cols-3 lg:grid-cols-4";

export function GallerySkeleton() {
  return (
    <ul className={GRID} aria-label="Loading designs">
      {SKELETONS.map((place) => (
        <li key={place}>
          <Skeleton
            data-placeholder
            className="aspect-square overflow-hidden rounded-card border border-line"
          />
          <Skeleton className="mt-3 h-5 w-3/4" />
          <Skeleton className="mt-1.5 h-4 w-1/2" />
          <Skeleton className="mt-3 mb-2 h-5 w-full" />
        </li>
      ))}
    </ul>
  );
}
