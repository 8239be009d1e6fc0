import { useState } from "react";
import { OrderStatusBadge } from "@/components/order/order-status-badge";
import { Button } from "@/components/ui/button";
import { formatDate, formatPrice, shortId } from "@/lib/text/format";
import { addressLines } from "@/shop/orders/shipping-address";
import type { ConfirmedOrder } from "../api/list-confirmed-orders";
import { Cell, ColumnHeads } from "../components/columns";
import { PAID_STATUSES } from "../stats";
import { PrintFiles } from "./print-files";
import { RefundDialog } from "./refund-dialog";

const COLUMNS = "lg:grid-cols-[5rem_7rem_minmax(8rem,1fr)_minmax(10rem,2fr)_7rem_5.5rem_6rem]";

export function OrderHeads() {
  return (
    <ColumnHeads
      className={COLUMNS}
      heads={["Order", "Date", "Customer", "Items", "Status", "Total", "Action"]}
    />
  );
}

export function OrderRow({ order }: { order: ConfirmedOrder }) {
  const [refunding, setRefunding] = useState(false);
  const items = order.order_items.map(
    (item) =>
      `${item.quantity} × ${[item.product_color, item.product_size].filter(Boolean).join(" ")}`,
  );
  return (
    <li className={`grid grid-cols-2 items-center gap-x-4 gap-y-3 px-4 py-3 ${COLUMNS}`}>
      <Cell label="Order" className="font-semibold">
        {shortId(order.id, 6)}
      </Cell>
      <Cell label="Date">{formatDate(order.created_at)}</Cell>
      <Cell label="Customer">
        <span className="block truncate">{addressLines(order.shipping_address)[0]}</span>
        {order.user_id === null ? (
          <span className="block text-xs text-ink-soft">Deleted account</span>
        ) : null}
      </Cell>
      <Cell label="Items">
        <span className="block truncate font-medium">{order.order_items[0]?.product_name}</span>
        <span className="block text-ink-soft">{items.join(", ")}</span>
      </Cell>
      <Cell label="Status">
        <OrderStatusBadge status={order.status} />
      </Cell>
      <Cell label="Total" className="font-semibold">
        {formatPrice(order.total)}
        {order.refunded > 0 ? (
          <span className="block text-xs font-normal text-ink-soft">
            {formatPrice(order.refunded)} refunded
          </span>
        ) : null}
      </Cell>
      <div className="col-span-2 flex flex-wrap gap-2 lg:col-span-1">
        {PAID_STATUSES.includes(order.status) && order.refunded < order.total ? (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Refund ${shortId(order.id, 6)}`}
            onClick={() => setRefunding(true)}
          >
            Refund
          </Button>
        ) : null}
        <PrintFiles orderId={order.id} />
      </div>
      <RefundDialog order={order} open={refunding} onOpenChange={setRefunding} />
    </li>
  );
}
