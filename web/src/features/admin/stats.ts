/** The admin's figures. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Money is in the till from 'paid' on; what was cancelled has been given back. */
export const PAID_STATUSES: readonly string[] = ["paid", "processing", "shipped", "delivered"];

interface OrderFigures {
  total: number;
  status: string;
  created_at: string;
}

export interface OrderStats {
  revenue: number;
  averageOrderValue: number;
  paidOrders: number;
  newThisWeek: number;
}

/** The moment from which on something is new this week: seven days ago. */
export function weekAgo(now: Date): Date {
  return new Date(now.getTime() - WEEK_MS);
}

export function countSince(rows: readonly { created_at: string }[], since: Date): number {
  return rows.filter((row) => new Date(row.created_at) >= since).length;
}

export function orderStats(orders: readonly OrderFigures[], now: Date): OrderStats {
  const paid = orders.filter((order) => PAID_STATUSES.includes(order.status));
  const cents = paid.reduce((sum, order) => sum + Math.round(order.total * 100), 0);
  return {
    revenue: cents / 100,
    averageOrderValue: paid.length > 0 ? cents / 100 / paid.length : 0,
    paidOrders: paid.length,
    newThisWeek: countSince(orders, weekAgo(now)),
  };
}

/** Under an hour 'Nm', else 'Nh Nm'. */
export function formatDuration(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  return whole < 60 ? `${whole}m` : `${Math.floor(whole / 60)}h ${whole % 60}m`;
}
