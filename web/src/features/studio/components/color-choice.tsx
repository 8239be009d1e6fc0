import { useEffect } from "react";
import { ColorSwatches } from "@/components/color-swatches";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { useProductVariants } from "@/shop/get-product-variants";
import { colorGroups } from "@/shop/variants";

interface ColorChoiceProps {
  value: string;
  onChange: (variantId: string) => void;
}

/** One shirt colour; choosing a colour takes its first variant. */
export function ColorChoice({ value, onChange }: ColorChoiceProps) {
  const variants = useProductVariants();

  // A draft may name a colour that the catalogue no longer has.
  useEffect(() => {
    if (value && variants.data && !variants.data.some((variant) => variant.id === value))
      onChange("");
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
