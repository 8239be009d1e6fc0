/** The preview's sample order: two shirts, $49.98 in all, to either side of the border, with the shop's own picture. */
import type { CompletedOrder } from "@/components/order-complete/order-complete";
import { isUuid } from "@/lib/text/is-uuid";
import shirt from "./sample-shirt.webp";

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

export function sampleOrder(orderId: string, destination: Destination): CompletedOrder {
  return {
    ...PLACES[destination],
    isSample: true,
    orderId: isUuid(orderId) ? orderId : "sample",
    designName: "A fox riding a bicycle under the moon",
    pictures: [shirt],
    lines: [{ name: "Navy - M", quantity: 2 }],
    total: 49.98,
    email: "sam@example.com",
  };
}
