/** The admin's figures. */

/** Orders count as revenue from 'paid' on; cancelled orders were refunded. */
export const PAID_STATUSES: readonly string[] = ["paid", "processing", "shipped", "delivered"];

export interface OrderStats {
  revenue: number;
  averageOrderValue: number;
  paidOrders: number;
  newThisWeek: number;
}

interface OrderFigures {
  revenue_cents: number;
  paid_orders: number;
  new_this_week: number;
}

/** In dollars. Revenue and average are over orders that are paid for. */
export function toOrderStats(figures: OrderFigures): OrderStats {
  const revenue = figures.revenue_cents / 100;
  return {
    revenue,
    averageOrderValue: figures.paid_orders > 0 ? revenue / figures.paid_orders : 0,
    paidOrders: figures.paid_orders,
    newThisWeek: figures.new_this_week,
  };
}

/** Under an hour 'Nm', else 'Nh Nm'. */
export function formatDuration(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  return whole < 60 ? `${whole}m` : `${Math.floor(whole / 60)}h ${whole % 60}m`;
}
