import { useEffect } from "react";
import { ColorSwatches } from "@/components/color-swatches";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useProductVariants } from "@/shop/catalog/get-product-variants";
import { colorGroups, groupOfVariant } from "@/shop/catalog/variants";

interface ColorChoiceProps {
  value: string;
  onChange: (variantId: string) => void;
}

/** One shirt colour; choosing a colour takes its first variant. */
export function ColorChoice({ value, onChange }: ColorChoiceProps) {
  const variants = useProductVariants();

  // A draft may name a colour that is no longer sold, or a size of the colour that is not.
  useEffect(() => {
    if (!value || !variants.data) return;
    const chosen = groupOfVariant(colorGroups(variants.data), value)?.variant.id ?? "";
    if (chosen !== value) onChange(chosen);
  }, [value, variants.data, onChange]);

  if (variants.isPending) {
    return (
      <div role="status">
        <span className="sr-only">Loading colors...</span>
        <Skeleton className="h-24 w-full" />
      </div>
    );
  }
  if (variants.isError) {
    return (
      <p
        role="alert"
        className="flex flex-wrap items-center gap-3 text-sm font-medium text-tomato-text"
      >
        The colors could not be loaded.
        <Button variant="secondary" size="sm" onClick={() => variants.refetch()}>
          Try Again
        </Button>
      </p>
    );
  }
  return (
    <ColorSwatches
      groups={colorGroups(variants.data)}
      selected={value}
      onSelect={(group) => onChange(group.variant.id)}
    />
  );
}
