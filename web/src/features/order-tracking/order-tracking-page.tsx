import { Link, useLocation } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { MessagePage } from "@/components/message-page";
import { Notices } from "@/components/notices";
import { OrderHelp, SupportLink } from "@/components/order/order-help";
import { OrderItem } from "@/components/order/order-item";
import { OrderParcel } from "@/components/order/order-parcel";
import { OrderShipping } from "@/components/order/order-shipping";
import { OrderStatusBadge } from "@/components/order/order-status-badge";
import { OrderTimeline } from "@/components/order/order-timeline";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { isMissing } from "@/lib/errors/errors";
import { useSession } from "@/lib/session/session-provider";
import { formatPrice } from "@/lib/text/format";
import { HAS_PROBLEM, moneyTexts } from "@/shop/orders/order-money";
import { useOwnOrder } from "./api/find-own-order";
import { type TrackedOrder, useOrderStatus } from "./api/get-order-status";

/** An order's page for the reader of its e-mails, on any device, without an account. */
export function OrderTrackingPage() {
  // Browsers send a fragment to no server, so neither logs nor other sites get the token.
  const token = useLocation().hash.slice(1);
  const order = useOrderStatus(token);
  return (
    <>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      {order.isPending ? <TrackingSkeleton /> : null}
      {order.isLoadingError ? (
        isMissing(order.error) ? (
          <LinkNotValid />
        ) : (
          <LoadFailed
            error={order.error}
            retrying={order.isFetching}
            onRetry={() => void order.refetch()}
          />
        )
      ) : null}
      {order.data ? <TrackingSheet order={order.data} /> : null}
    </>
  );
}

function LinkNotValid() {
  return (
    <MessagePage
      title="This link is not valid any more"
      text={
        <>
          Links in our emails end a year after the last news of an order. You find your orders in
          your account, and we gladly help: <SupportLink />.
        </>
      }
    >
      <PageTitle>Link not valid</PageTitle>
      <Button asChild>
        <Link to="/dashboard">Go to your orders</Link>
      </Button>
    </MessagePage>
  );
}

function TrackingSheet({ order }: { order: TrackedOrder }) {
  const place = [order.city, order.country].filter(Boolean).join(", ");
  return (
    <div className="shell max-w-5xl py-8 sm:py-12">
      <PageTitle>{`Order ${order.number}`}</PageTitle>
      <div className="mb-8 flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
        <div className="min-w-0">
          <h1 className="display-2">Order {order.number}</h1>
          {order.account_number ? (
            <p className="mt-1 text-sm text-ink-soft tabular-nums">
              In the account that ordered it: {order.account_number}
            </p>
          ) : null}
          <p className="mt-2 flex flex-wrap items-center gap-3 text-ink-soft">
            <span className="wrap-anywhere">
              For {[order.first_name, place].filter(Boolean).join(", in ")}
            </span>
            <OrderStatusBadge status={order.status} />
          </p>
        </div>
        <p className="font-display text-4xl font-extrabold tracking-tight tabular-nums">
          {formatPrice(order.total_cents / 100)}
        </p>
      </div>
      <Notices texts={notices(order)} />
      <OrderTimeline
        status={order.status}
        wasPaid={Boolean(order.steps.paid)}
        dates={order.steps}
      />
      <div className="mt-8 grid items-start gap-6 md:grid-cols-[2fr_1fr]">
        <Card>
          <CardTitle className="mb-2">Order Items</CardTitle>
          <ul className="divide-y divide-line">
            {order.items.map((item) => (
              <OrderItem
                key={`${item.name} ${item.color} ${item.size}`}
                name={item.name}
                color={item.color}
                size={item.size}
                quantity={item.quantity}
                unitPrice={item.unit_price_cents / 100}
                imageUrl={item.image_url}
              />
            ))}
          </ul>
          <OrderShipping cents={order.shipping_cents} />
        </Card>
        <div className="flex flex-col gap-6">
          {order.status === "cancelled" ? null : <OrderParcel {...order.tracking} />}
          <Help order={order} />
        </div>
      </div>
    </div>
  );
}

function notices(order: TrackedOrder): string[] {
  return [
    ...(order.has_problem ? [HAS_PROBLEM] : []),
    ...moneyTexts({
      status: order.status,
      wasPaid: Boolean(order.steps.paid),
      totalCents: order.total_cents,
      refundedCents: order.refunded_cents,
      lostCents: order.lost_cents,
      refundedAt: order.refunded_at,
      isHeld: order.is_held,
    }),
  ];
}

function Help({ order }: { order: TrackedOrder }) {
  const { user } = useSession();
  const own = useOwnOrder(order.order_id, user?.id);
  return (
    <OrderHelp number={order.number}>
      {own.data ? (
        <Button asChild variant="secondary" className="mt-4">
          <Link to={`/order-details/${order.order_id}`}>See the full order</Link>
        </Button>
      ) : null}
    </OrderHelp>
  );
}

function TrackingSkeleton() {
  return (
    <div role="status" className="shell max-w-5xl py-12">
      <PageTitle>Your order</PageTitle>
      <span className="sr-only">Loading your order...</span>
      <Skeleton className="h-14 w-72" />
      <Skeleton className="mt-10 h-24" />
      <div className="mt-8 grid gap-6 md:grid-cols-[2fr_1fr]">
        <Skeleton className="h-64" />
        <Skeleton className="h-40" />
      </div>
    </div>
  );
}
