/** The preview's sample order: two shirts, $49.98 in all, to either side of the border. */
import type { CompletedOrder } from "@/components/order-complete/order-complete";
import type { SampleDesign } from "./api/get-sample-design";

export type Destination = "us" | "international";

type Place = Pick<CompletedOrder, "country" | "addressLines">;

const PLACES: Record<Destination, Place> = {
  us: {
    country: "US",
    addressLines: ["Sam Sample", "9465 Wilshire Blvd", "Beverly Hills, CA, 90210", "United States"],
  },
  international: {
    country: "CA",
    addressLines: ["Sam Sample", "290 Bremner Blvd", "Toronto, ON, M5V 2T6", "Canada"],
  },
};

/** Without a design to show (an empty gallery) the name alone stands there. */
export function sampleOrder(
  orderId: string,
  destination: Destination,
  design: SampleDesign | null | undefined,
): CompletedOrder {
  return {
    ...PLACES[destination],
    orderId,
    designName: design?.name ?? "A fox reading by lamplight",
    pictures: design?.pictures ?? [],
    lines: [{ name: design?.variantName ?? "Black - M", quantity: 2 }],
    total: 49.98,
    email: "sam@example.com",
  };
}
