import { PageTitle } from "@/components/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import { Spinner } from "@/components/ui/spinner";
import { SheetLayout } from "./sheet-layout";

/** The sheet without its design. The build draws it as the page of every share link. */
export function SharedDesignSkeleton() {
  return (
    <SheetLayout
      picture={
        <Skeleton
          data-placeholder
          className="aspect-square overflow-hidden rounded-card border border-line"
        />
      }
    >
      <PageTitle>Shared design</PageTitle>
      <Skeleton className="h-9 w-4/5" />
      <p role="status" className="flex items-center gap-3 text-ink-soft">
        <Spinner className="size-5" />
        Loading design...
      </p>
      <Skeleton className="h-5 w-20" />
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="h-6 w-48" />
    </SheetLayout>
  );
}
