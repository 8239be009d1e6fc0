import { RotateCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { useRetryProduct } from "@/shop/use-retry-product";

/** For a design without a print product: creating it failed when the design was saved. */
export function RetryProduct({ design }: { design: { id: string; name: string } }) {
  const retry = useRetryProduct(design.id);
  return (
    <Button
      variant="link"
      size="inline"
      className="relative z-10 text-sm"
      busy={retry.isPending}
      aria-label={`Retry Processing: ${design.name}`}
      onClick={() => retry.mutate()}
    >
      {retry.isPending ? null : <RotateCw aria-hidden="true" />}
      {retry.isPending ? "Retrying..." : "Retry Processing"}
    </Button>
  );
}
