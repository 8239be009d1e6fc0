/** What the confirmation shows of a paid order: of the checkout itself, or of the order's row after a reload. */
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { ServiceError } from "@/lib/errors/errors";
import { quote } from "@/shop/catalog/pricing";
import { getOrder, type Order } from "@/shop/orders/get-order";
import { type Address, emptyAddress, orderAddress } from "@/shop/orders/shipping-address";
import { type OrderLine, totalQuantity } from "../sizes/quantities";

interface Confirmation {
  lines: { name: string; printifyVariantId: number; quantity: number }[];
  /** In dollars. */
  total: number;
  address: Address;
}

export function confirmationOf(
  lines: OrderLine[],
  address: Address,
  hasBack: boolean,
): Confirmation {
  return {
    lines: lines.map(({ variant, quantity }) => ({
      name: variant.name,
      printifyVariantId: variant.printify_variant_id,
      quantity,
    })),
    total: quote(totalQuantity(lines), address.country, hasBack).totalCents / 100,
    address,
  };
}

function confirmationOfRow(order: Order): Confirmation {
  if (!order.paid_at || order.status === "cancelled")
    throw new ServiceError("This order is not going to be printed.", "not_confirmed", 409);
  return {
    lines: order.order_items.map((item) => ({
      name: [item.product_color, item.product_size].filter(Boolean).join(" - "),
      printifyVariantId: item.printify_variant_id,
      quantity: item.quantity,
    })),
    total: order.total,
    address: orderAddress(order.shipping_address) ?? emptyAddress,
  };
}

function confirmationQuery(orderId: string, userId: string) {
  return queryOptions({
    queryKey: ["confirmation", userId, orderId],
    queryFn: async () => confirmationOfRow(await getOrder(orderId, userId)),
    // What was paid does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The order was just paid: its confirmation waits for no request. */
export function rememberConfirmation(
  client: QueryClient,
  orderId: string,
  userId: string,
  confirmation: Confirmation,
): void {
  client.setQueryData(confirmationQuery(orderId, userId).queryKey, confirmation);
}

export function useConfirmation(orderId: string, userId: string) {
  return useQuery(confirmationQuery(orderId, userId));
}
