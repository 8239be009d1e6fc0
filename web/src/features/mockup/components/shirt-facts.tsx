import { SizeGuidelines } from "@/components/shirt/size-guidelines";
import { Card, CardTitle } from "@/components/ui/card";
import { shirt } from "@/shop/owner-settings";

const FACTS = [
  ["Shirt", shirt.name],
  ["Material", shirt.material],
  ["Weight", shirt.weight],
  ["Fit", shirt.fit],
  ["Care", shirt.care],
  ["Models", shirt.models],
].filter(([, value]) => value);

/** What is printed on, and how to find one's size. */
export function ShirtFacts() {
  return (
    <Card className="flex flex-col gap-4">
      <CardTitle>The Shirt</CardTitle>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
        {FACTS.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="border-t border-line pt-4 text-sm">
        <h3 className="font-sans text-sm font-semibold tracking-normal">How to measure</h3>
        <p className="mt-1 text-ink-soft">
          Lay a shirt that fits you flat, and compare. Width: across the chest, just below the
          armholes. Length: from the shoulder, beside the collar, down to the hem. Sleeve: from the
          shoulder seam to the cuff.
        </p>
        <SizeGuidelines className="mt-3" />
      </div>
    </Card>
  );
}
