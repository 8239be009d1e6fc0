import type { ReactNode } from "react";
import { Link, useLocation, useParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { OrderItem } from "@/components/order-item";
import { OrderStatusBadge } from "@/components/order-status-badge";
import { OrderTimeline } from "@/components/order-timeline";
import { PageTitle } from "@/components/page-title";
import { TrackingLink } from "@/components/tracking-link";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage, isMissing } from "@/lib/errors";
import { capitalise, formatDate, formatPrice, shortId } from "@/lib/format";
import { signInPath } from "@/lib/redirect";
import { useSession } from "@/lib/session/session-provider";
import { mayCancel } from "@/shop/order-timeline";
import { addressLines } from "@/shop/shipping-address";
import { type Order, useOrder } from "./api/get-order";
import { CancelOrder } from "./components/cancel-order";

/** Shows its own message to visitors without access: a link from a mail must not end at a bare sign-in form. */
export function OrderDetailsPage() {
  const { loading, user } = useSession();
  const location = useLocation();
  const { orderId = "" } = useParams();
  if (loading) return <LoadingScreen text="Loading..." />;
  if (!user) {
    return (
      <MessagePage title="Access Denied" text="Log in to see this order.">
        <PageTitle>Access denied</PageTitle>
        <Button asChild>
          <Link to={signInPath(location)}>Log In</Link>
        </Button>
      </MessagePage>
    );
  }
  return <OwnOrder orderId={orderId} userId={user.id} />;
}

function OwnOrder({ orderId, userId }: { orderId: string; userId: string }) {
  const order = useOrder(orderId, userId);
  if (order.isPending) return <OrderSkeleton />;
  if (order.isLoadingError) {
    const failed = !isMissing(order.error);
    return (
      <MessagePage
        title="Order Not Found"
        text={`Error: ${errorMessage(order.error, "The order could not be loaded.")}`}
      >
        <PageTitle>Order not found</PageTitle>
        {failed ? (
          <Button busy={order.isFetching} onClick={() => void order.refetch()}>
            Try Again
          </Button>
        ) : null}
        <Button asChild variant={failed ? "secondary" : "primary"}>
          <Link to="/dashboard">Back to Dashboard</Link>
        </Button>
      </MessagePage>
    );
  }
  return <OrderSheet order={order.data} />;
}

function OrderSheet({ order }: { order: Order }) {
  return (
    <div className="shell max-w-5xl py-8 sm:py-12">
      <PageTitle>{`Order ${shortId(order.id, 8)}`}</PageTitle>
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <div className="mt-4 mb-8 flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
        <div>
          <h1 className="display-2">Order {shortId(order.id, 8)}</h1>
          <p className="mt-2 flex items-center gap-3 text-ink-soft">
            {formatDate(order.created_at)} <OrderStatusBadge status={order.status} />
          </p>
        </div>
        <p className="font-display text-4xl font-extrabold tracking-tight tabular-nums">
          {formatPrice(order.total)}
        </p>
      </div>
      <OrderTimeline status={order.status} />
      <div className="mt-8 grid items-start gap-6 md:grid-cols-2">
        <Card>
          <CardTitle className="mb-4">Order Information</CardTitle>
          <dl className="grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5">
            <Fact name="Status">{capitalise(order.status)}</Fact>
            <Fact name="Placed">{formatDate(order.created_at)}</Fact>
            <Fact name="Total">{formatPrice(order.total)}</Fact>
            {order.carrier ? <Fact name="Carrier">{order.carrier}</Fact> : null}
            {order.tracking_number ? (
              <Fact name="Tracking">
                <TrackingLink number={order.tracking_number} url={order.tracking_url} />
              </Fact>
            ) : null}
          </dl>
          {mayCancel(order.status) ? (
            <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
              <CancelOrder order={order} />
              <p className="text-sm text-ink-soft">Possible until printing begins.</p>
            </div>
          ) : null}
        </Card>
        <Card>
          <CardTitle className="mb-4">Shipping Address</CardTitle>
          <address className="not-italic">
            {addressLines(order.shipping_address).map((line) => (
              <span key={line} className="block wrap-anywhere">
                {line}
              </span>
            ))}
          </address>
        </Card>
        <Card className="md:col-span-2">
          <CardTitle className="mb-2">Order Items</CardTitle>
          <ul className="divide-y divide-line">
            {order.order_items.map((item) => (
              <OrderItem
                key={item.id}
                name={item.product_name ?? "T-shirt"}
                color={item.product_color}
                size={item.product_size}
                quantity={item.quantity}
                unitPrice={item.unit_price}
                imageUrl={item.product_image_url}
              />
            ))}
          </ul>
        </Card>
      </div>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="font-semibold tabular-nums">{children}</dd>
    </>
  );
}

function OrderSkeleton() {
  return (
    <div role="status" className="shell max-w-5xl py-12">
      <span className="sr-only">Loading your order...</span>
      <Skeleton className="h-14 w-72" />
      <div className="mt-10 grid gap-6 md:grid-cols-2">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
        <Skeleton className="h-64 md:col-span-2" />
      </div>
    </div>
  );
}
