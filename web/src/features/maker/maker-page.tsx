import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { MessagePage } from "@/components/message-page";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage, isMissing } from "@/lib/errors/errors";
import { useUser } from "@/lib/session/session-provider";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups, groupOfVariant } from "@/shop/catalog/variants";
import { type Design, designNotFound, useDesign } from "@/shop/designs/get-design";
import { LARGEST_AREA } from "@/shop/scene/placement";
import { emptyScene, sceneOfDesign } from "@/shop/scene/scene";
import { useDraft } from "./api/get-draft";
import { useOriginal } from "./api/get-original";
import { usePrintAreas } from "./api/list-print-areas";
import { Maker } from "./maker";
import { openingOf } from "./saving/opening";
import { readUnsaved } from "./saving/use-autosave";
import type { Original } from "./stage/measure";

export function MakerPage() {
  const [search] = useSearchParams();
  const user = useUser();
  const design = useDesign(search.get("design"));
  if (design.isPending) return <MakerSkeleton />;
  // A design of another is copied first: for this page it is not there.
  const isOwn = design.data?.user_id === user.id;
  if (design.data && isOwn) return <OwnDesign key={design.data.id} design={design.data} />;
  const error = design.error ?? designNotFound();
  if (!isMissing(error)) {
    return (
      <LoadFailed
        error={error}
        retrying={design.isFetching}
        onRetry={() => void design.refetch()}
      />
    );
  }
  return (
    <MessagePage title="Design Not Found" text={errorMessage(error, "Design not found")}>
      <PageTitle>Design not found</PageTitle>
      <Button asChild>
        <Link to="/dashboard">Back to Dashboard</Link>
      </Button>
    </MessagePage>
  );
}

function OwnDesign({ design }: { design: Design }) {
  const [search] = useSearchParams();
  const variants = useProductVariants();
  const groups = colorGroups(variants.data ?? []);
  const color =
    groupOfVariant(groups, search.get("color")) ??
    groupOfVariant(groups, design.selected_colors?.[0]) ??
    groups[0];
  const areas = usePrintAreas(color?.name);
  const draft = useDraft(design.id);
  const original = useOriginal(design.id);
  const failed = [variants, areas, draft, original].find((query) => query.isLoadingError);
  if (failed) {
    return (
      <LoadFailed
        error={failed.error}
        retrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (!color || !areas.data || !draft.data || original.data === undefined) return <MakerSkeleton />;
  return (
    <Opened
      design={design}
      stored={draft.data}
      color={color}
      groups={groups}
      areas={areas.data}
      original={original.data}
    />
  );
}

interface OpenedProps extends Omit<Parameters<typeof Maker>[0], "opening" | "original"> {
  original: Original | null;
  stored: NonNullable<ReturnType<typeof useDraft>["data"]>;
}

/** What is drawn from here on is the page's own, whatever is loaded again. */
function Opened({ stored, ...props }: OpenedProps) {
  const { design, original } = props;
  const owner = useUser().id;
  const [opening] = useState(() =>
    openingOf(
      stored,
      readUnsaved(owner, design.id),
      original ? sceneOfDesign(original, original.ink, LARGEST_AREA) : emptyScene(),
    ),
  );
  return <Maker opening={opening} {...props} />;
}

function MakerSkeleton() {
  return (
    <div role="status" className="shell py-6 sm:py-10">
      <span className="sr-only">Loading your design...</span>
      <Skeleton className="mt-8 mb-6 h-10 w-1/2" />
      <div className="grid gap-6 lg:grid-cols-[7fr_5fr] lg:gap-10">
        <Skeleton className="aspect-square" />
        <Skeleton className="h-80" />
      </div>
    </div>
  );
}
