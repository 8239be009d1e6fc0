import { formatNumber, formatPrice } from "@/lib/text/format";
import { useOrderStats } from "../api/get-order-stats";
import { useConfirmedOrders } from "../api/list-confirmed-orders";
import { AdminList } from "../components/admin-list";
import { StatCards } from "../components/stat-cards";
import { FlaggedOrders } from "./flagged-orders";
import { OrderHeads, OrderRow } from "./order-row";

export function OrdersTab() {
  const orders = useConfirmedOrders();
  const stats = useOrderStats();
  const figure = (text: string | undefined) => (stats.isError ? "–" : text);
  return (
    <div className="flex flex-col gap-5">
      <StatCards
        stats={[
          { label: "Revenue", value: figure(stats.data && formatPrice(stats.data.revenue)) },
          {
            label: "Average order value",
            value: figure(stats.data && formatPrice(stats.data.averageOrderValue)),
          },
          {
            label: "Paid orders",
            value: figure(stats.data && formatNumber(stats.data.paidOrders)),
          },
          {
            label: "New this week",
            value: figure(stats.data && formatNumber(stats.data.newThisWeek)),
          },
        ]}
      />
      <FlaggedOrders />
      <h2 className="-mb-2 text-xl tracking-tight">Confirmed orders</h2>
      <AdminList
        query={orders}
        problem="Error loading orders"
        empty="No confirmed orders found"
        loading="Loading orders..."
        header={<OrderHeads />}
      >
        {(orders.data ?? []).map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </AdminList>
    </div>
  );
}
