import { Link } from "react-router-dom";
import { Notices } from "@/components/notices";
import { Button } from "@/components/ui/button";
import type { Order } from "@/shop/orders/get-order";

/** For an order that was cancelled before it was paid. */
export function OrderAgain({ order }: { order: Order }) {
  const item = order.order_items.find((each) => each.design_id);
  return (
    <>
      <Notices texts={["This order was cancelled before it was paid. Nothing was charged."]} />
      {item ? (
        <Button asChild className="-mt-4 mb-8">
          <Link to={orderPath(item)}>Order again</Link>
        </Button>
      ) : null}
    </>
  );
}

function orderPath(item: Order["order_items"][number]): string {
  const search = new URLSearchParams({ design: item.design_id ?? "" });
  if (item.product_variant_id) search.set("color", item.product_variant_id);
  return `/order?${search}`;
}
