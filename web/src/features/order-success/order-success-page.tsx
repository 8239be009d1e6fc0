import { useState } from "react";
import { useParams } from "react-router-dom";
import { OrderComplete } from "@/components/order-complete/order-complete";
import { PageTitle } from "@/components/page-title";
import { cn } from "@/lib/text/cn";
import { type Destination, sampleOrder } from "./sample-order";

const DESTINATIONS: { value: Destination; label: string }[] = [
  { value: "us", label: "US delivery" },
  { value: "international", label: "International delivery" },
];

/** The confirmation screen with sample data, to look at without ordering. */
export function OrderSuccessPage() {
  const { orderId = "" } = useParams();
  const [destination, setDestination] = useState<Destination>("us");
  return (
    <>
      <PageTitle>Order confirmation preview</PageTitle>
      <div className="border-b border-line bg-sunk">
        <div className="shell flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-3">
          <p className="text-sm text-ink-soft">
            <strong className="text-ink">Preview with sample data.</strong> No order was placed.
          </p>
          <fieldset className="flex rounded-full border border-line-strong bg-raised p-0.5">
            <legend className="sr-only">Where the sample order goes</legend>
            {DESTINATIONS.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                aria-pressed={value === destination}
                onClick={() => setDestination(value)}
                className={cn(
                  "h-9 rounded-full px-4 text-sm font-semibold base:text-ink-soft base:hover:text-ink",
                  value === destination && "bg-ink text-paper hover:text-paper",
                )}
              >
                {label}
              </button>
            ))}
          </fieldset>
        </div>
      </div>
      <OrderComplete order={sampleOrder(orderId, destination)} />
    </>
  );
}
