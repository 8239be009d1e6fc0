import { Link, useSearchParams } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage, isMissing } from "@/lib/errors/errors";
import { useSession } from "@/lib/session/session-provider";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups } from "@/shop/catalog/variants";
import { usePreviewDesign } from "./api/get-preview-design";
import { Mockup } from "./components/mockup";

export function MockupPage() {
  const [search] = useSearchParams();
  const { loading, user } = useSession();
  const design = usePreviewDesign(search.get("design"), { loading, userId: user?.id });
  const variants = useProductVariants();
  if (design.isLoadingError && isMissing(design.error)) {
    return (
      <MessagePage title="Design Not Found" text={errorMessage(design.error, "Design not found")}>
        <PageTitle>Design not found</PageTitle>
        <Button asChild>
          <Link to="/dashboard">Back to Dashboard</Link>
        </Button>
      </MessagePage>
    );
  }
  if (design.isLoadingError) {
    return (
      <LoadFailed
        error={design.error}
        retrying={design.isFetching}
        onRetry={() => void design.refetch()}
      />
    );
  }
  if (design.isPending || variants.isPending) return <MockupSkeleton />;
  return <Mockup design={design.data} groups={colorGroups(variants.data ?? [])} />;
}

function MockupSkeleton() {
  return (
    <div role="status" className="shell py-8 sm:py-12">
      <span className="sr-only">Loading your design...</span>
      <Skeleton className="mt-10 mb-8 h-14 w-2/3" />
      <div className="grid gap-8 lg:grid-cols-[7fr_5fr] lg:gap-14">
        <Skeleton className="aspect-square" />
        <Skeleton className="h-80" />
      </div>
    </div>
  );
}
