import { Truck } from "lucide-react";
import { PriceTag } from "@/components/price-tag";
import { formatPrice } from "@/lib/text/format";
import { deliveryEstimate, shippingCents } from "@/shop/catalog/pricing";
import { type ColorGroup, sizeName, type Variant } from "@/shop/catalog/variants";
import { delivery } from "@/shop/owner-settings";
import { ColorShirts } from "./color-shirts";
import { SizeGuidelines } from "./size-guidelines";

interface ShirtOfferProps {
  groups: ColorGroup[];
  color: ColorGroup | undefined;
  /** In the chosen colour. */
  sizes: Variant[];
  pictures: (string | null | undefined)[];
  onChoose: (group: ColorGroup) => void;
}

/** What is for sale: the price, the colors, the sizes, and how long the way takes. */
export function ShirtOffer({ groups, color, sizes, pictures, onChoose }: ShirtOfferProps) {
  return (
    <div className="flex w-full flex-col gap-5">
      <PriceTag />
      <section aria-label="Colors">
        <p className="mb-2 text-sm text-ink-soft">
          Color <strong className="font-semibold text-ink">{color?.name}</strong>
        </p>
        <ColorShirts groups={groups} chosen={color?.name} pictures={pictures} onChoose={onChoose} />
      </section>
      <section aria-label="Sizes">
        <p className="text-sm text-ink-soft">
          Unisex{" "}
          <strong className="font-semibold text-ink">
            {sizes.map((variant) => sizeName(variant.name)).join(", ")}
          </strong>
        </p>
        <SizeGuidelines className="mt-2" />
      </section>
      <Delivery />
    </div>
  );
}

function Delivery() {
  const home = delivery.home_country;
  return (
    <section aria-label="Delivery" className="flex gap-3 border-t border-line pt-4 text-sm">
      <Truck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 tabular-nums">
        <dt className="text-ink-soft">In the {home}</dt>
        <dd>
          {shippingOf(home)}, {deliveryEstimate(home)}
        </dd>
        <dt className="text-ink-soft">Anywhere else</dt>
        <dd>
          {shippingOf("")} per order, {deliveryEstimate("")}
        </dd>
      </dl>
    </section>
  );
}

function shippingOf(country: string): string {
  const cents = shippingCents(country);
  return cents === 0 ? "Free" : formatPrice(cents / 100);
}
