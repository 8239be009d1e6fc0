import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { useProductJob } from "@/shop/use-product-job";
import { useRetryProduct } from "@/shop/use-retry-product";
import type { PreviewDesign } from "../api/get-preview-design";

export function DesignDetails({ design }: { design: PreviewDesign }) {
  const retry = useRetryProduct(design.id);
  const ready = design.printify_product_id !== null;
  const making = useProductJob(design.id, design.isOwn && !ready);
  return (
    <Card className="flex flex-col gap-4">
      <CardTitle>Design Details</CardTitle>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <dt className="text-ink-soft">Name</dt>
        <dd className="line-clamp-3 font-semibold wrap-anywhere">{design.name}</dd>
        {design.isSharedPrivately ? null : (
          <>
            <dt className="text-ink-soft">Status</dt>
            <dd>
              <Badge tone={ready ? "emerald" : "yellow"}>
                {ready ? "Ready for order" : "Processing"}
              </Badge>
            </dd>
          </>
        )}
      </dl>
      <p className="text-sm text-ink-soft">
        {design.isOwn
          ? "This design is unique: it was made for you, and the next person who asks for the same will get another one."
          : "This design is unique: it was made once, for the person who thought of it. Take a copy of it into your collection, choose a shirt color, and order it in your size."}
      </p>
      {!ready && !making && design.isOwn && design.image_data ? (
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          busy={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry Processing
        </Button>
      ) : null}
    </Card>
  );
}
