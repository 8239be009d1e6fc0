import { Link } from "react-router-dom";
import { Notices } from "@/components/notices";
import { Button } from "@/components/ui/button";
import type { Order } from "@/shop/orders/get-order";

interface OrderAgainProps {
  order: Order;
  variant?: "primary" | "secondary";
  className?: string;
}

/** The same design in the same color, as long as the design is there. */
export function OrderAgain({ order, variant = "secondary", className }: OrderAgainProps) {
  const item = order.order_items.find((each) => each.design_id);
  if (!item) return null;
  return (
    <Button asChild variant={variant} className={className}>
      <Link to={orderPath(item)}>Order again</Link>
    </Button>
  );
}

/** For an order that was cancelled before it was paid. */
export function NeverCharged({ order }: { order: Order }) {
  return (
    <>
      <Notices texts={["This order was cancelled before it was paid. Nothing was charged."]} />
      <OrderAgain order={order} variant="primary" className="-mt-4 mb-8" />
    </>
  );
}

function orderPath(item: Order["order_items"][number]): string {
  const search = new URLSearchParams({ design: item.design_id ?? "" });
  if (item.product_variant_id) search.set("color", item.product_variant_id);
  return `/order?${search}`;
}
