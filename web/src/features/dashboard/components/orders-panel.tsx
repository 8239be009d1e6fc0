import { Link } from "react-router-dom";
import { OrderStatusBadge } from "@/components/order/order-status-badge";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { errorMessage } from "@/lib/errors/errors";
import { useUser } from "@/lib/session/session-provider";
import { formatDate, formatPrice, shortId } from "@/lib/text/format";
import { useOrders } from "../api/list-orders";
import { LoadingRows } from "./loading-rows";
import { PanelMessage } from "./panel-message";

export function OrdersPanel() {
  const user = useUser();
  const orders = useOrders(user.id);
  const rows = orders.data?.pages.flatMap((page) => page.orders) ?? [];
  return (
    <Card className="p-0">
      <div className="border-b border-line px-5 py-4">
        <CardTitle>Your Orders</CardTitle>
      </div>
      {orders.isPending ? (
        <LoadingRows text="Loading your orders..." rows={3} />
      ) : orders.isError ? (
        <PanelMessage tone="problem">
          Error: {errorMessage(orders.error, "Your orders could not be loaded.")}
        </PanelMessage>
      ) : rows.length === 0 ? (
        <PanelMessage next="Open one of your designs, choose its color, and press Order Now.">
          No orders yet. Your future orders will appear here.
        </PanelMessage>
      ) : (
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-ink-soft [&>th]:px-1.5 [&>th]:py-2.5 [&>th]:font-semibold sm:[&>th]:px-3 [&>th:first-child]:pl-4 [&>th:last-child]:pr-4 sm:[&>th:first-child]:pl-5 sm:[&>th:last-child]:pr-5">
              <th scope="col">Order</th>
              <th scope="col" className="max-sm:hidden">
                Date
              </th>
              <th scope="col">Status</th>
              <th scope="col" className="text-right">
                Total
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line tabular-nums">
            {rows.map((order) => (
              <tr
                key={order.id}
                className="relative hover:bg-sunk/60 [&>td]:px-1.5 [&>td]:py-3.5 sm:[&>td]:px-3 [&>td:first-child]:pl-4 [&>td:last-child]:pr-4 sm:[&>td:first-child]:pl-5 sm:[&>td:last-child]:pr-5"
              >
                <td>
                  {/* The link covers the whole row. */}
                  <Link
                    to={`/order-details/${order.id}`}
                    className="font-semibold underline-offset-4 after:absolute after:inset-0 hover:underline"
                  >
                    {shortId(order.id, 6)}
                  </Link>
                  <span className="block text-xs text-ink-soft" title="On the order's own page">
                    {shortId(order.id, 8)}
                  </span>
                  <span className="block text-xs text-ink-soft sm:hidden">
                    {formatDate(order.created_at)}
                  </span>
                </td>
                <td className="whitespace-nowrap text-ink-soft max-sm:hidden">
                  {formatDate(order.created_at)}
                </td>
                <td>
                  <OrderStatusBadge status={order.status} />
                  {order.status === "pending" ? (
                    <Link
                      to={`/order-details/${order.id}#pay`}
                      aria-label={`Finish payment: ${shortId(order.id, 6)}`}
                      className="relative z-1 mt-1 block w-fit py-0.5 font-semibold text-cobalt-text underline underline-offset-4"
                    >
                      Finish payment
                    </Link>
                  ) : null}
                  {order.refunded_cents > 0 ? (
                    <span className="mt-1 block text-xs text-ink-soft">
                      {formatPrice(order.refunded_cents / 100)} refunded
                    </span>
                  ) : null}
                </td>
                <td className="text-right font-semibold">{formatPrice(order.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {orders.hasNextPage ? (
        <div className="border-t border-line p-3 text-center">
          <Button
            variant="secondary"
            busy={orders.isFetchingNextPage}
            onClick={() => orders.fetchNextPage()}
          >
            Show More Orders
          </Button>
        </div>
      ) : null}
    </Card>
  );
}
