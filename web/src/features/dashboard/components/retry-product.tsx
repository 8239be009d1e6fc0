import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useIsMaking, useMakeProduct } from "@/shop/designs/use-make-product";

/** For a design without a print product: creating it failed when the design was saved. */
export function RetryProduct({ design }: { design: { id: string; name: string } }) {
  const product = useMakeProduct();
  const making = useIsMaking(design.id);
  return (
    <Button
      variant="link"
      size="inline"
      className="relative z-10 text-sm"
      busy={making}
      aria-label={`Retry Processing: ${design.name}`}
      onClick={() => product.mutate({ designId: design.id })}
    >
      {making ? null : <RotateCw aria-hidden="true" />}
      {making ? "Processing..." : "Retry Processing"}
    </Button>
  );
}
