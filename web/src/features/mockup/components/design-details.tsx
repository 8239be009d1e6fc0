import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { useIsMaking, useMakeProduct } from "@/shop/designs/use-make-product";
import { useProductJob } from "@/shop/designs/use-product-job";

import type { PreviewDesign } from "../api/get-preview-design";

export function DesignDetails({ design }: { design: PreviewDesign }) {
  const product = useMakeProduct();
  const ready = design.printify_product_id !== null;
  const isMakingHere = useIsMaking(design.id);
  const isAsked = design.isOwn && !ready && !design.isTakenDown;
  const making = useProductJob(design.id, isAsked && !isMakingHere) || isMakingHere;
  return (
    <Card className="flex flex-col gap-4">
      <CardTitle>Design Details</CardTitle>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <dt className="text-ink-soft">Name</dt>
        <dd className="line-clamp-3 font-semibold wrap-anywhere">{design.name}</dd>
        {design.isSharedPrivately || design.isTakenDown ? null : (
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
          ? "This design is unique: it was made for you, and nobody else's idea comes out the same."
          : "This design is unique: it was made once, for the person who thought of it. Take a copy of it into your collection, choose a shirt color, and order it in your size."}
      </p>
      {making ? (
        <p role="status" className="text-sm font-semibold">
          We are making your print product. You need not wait here.
        </p>
      ) : null}
      {isAsked && !making && design.image_data ? (
        <div className="flex flex-col items-start gap-2">
          <Button
            variant="secondary"
            size="sm"
            onClick={() => product.mutate({ designId: design.id })}
          >
            Retry Processing
          </Button>
          <p className="text-sm text-ink-soft">
            The printer could not take it the first time. Your design is safe: try again, and it can
            be ordered.
          </p>
        </div>
      ) : null}
    </Card>
  );
}
