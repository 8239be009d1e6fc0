import { useRef } from "react";
import { Link, useLocation, useParams } from "react-router-dom";
import { BackLink } from "@/components/back-link";
import { Fact } from "@/components/fact";
import { LoadingScreen } from "@/components/loading-screen";
import { MessagePage } from "@/components/message-page";
import { Notices } from "@/components/notices";
import { OrderHelp } from "@/components/order/order-help";
import { OrderItem } from "@/components/order/order-item";
import { OrderParcel } from "@/components/order/order-parcel";
import { OrderShipping } from "@/components/order/order-shipping";
import { OrderStatusBadge } from "@/components/order/order-status-badge";
import { OrderTimeline } from "@/components/order/order-timeline";
import { PageTitle } from "@/components/page-title";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { signInPath } from "@/lib/browser/redirect";
import { errorMessage, isMissing } from "@/lib/errors/errors";
import { useSession } from "@/lib/session/session-provider";
import { capitalise, formatDate, formatPrice, shortId } from "@/lib/text/format";
import { type Order, useOrder } from "@/shop/orders/get-order";
import { HAS_PROBLEM, moneyTexts } from "@/shop/orders/order-money";
import { mayCancel } from "@/shop/orders/order-timeline";
import { addressLines } from "@/shop/orders/shipping-address";
import { useOrderProgress } from "./api/get-order-progress";
import { CancelOrder } from "./components/cancel-order";
import { NeverCharged, OrderAgain } from "./components/order-again";
import { FinishPayment } from "./payment/finish-payment";

/** Shows its own message to visitors without access: a link from a mail must not end at a bare sign-in form. */
export function OrderDetailsPage() {
  const { loading, user, ended } = useSession();
  const location = useLocation();
  const { orderId = "" } = useParams();
  if (loading) return <LoadingScreen text="Loading..." />;
  if (!user) {
    return (
      <MessagePage
        title="Access Denied"
        text={ended ? "Please sign in again to see this order." : "Log in to see this order."}
      >
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
  return <OrderSheet order={order.data} userId={userId} />;
}

function OrderSheet({ order, userId }: { order: Order; userId: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  const progress = useOrderProgress(order.id, userId).data;
  return (
    <div className="shell max-w-5xl py-8 sm:py-12">
      <PageTitle>{`Order ${shortId(order.id, 8)}`}</PageTitle>
      <BackLink to="/dashboard">Back to Dashboard</BackLink>
      <div className="mt-4 mb-8 flex flex-wrap items-end justify-between gap-4 border-b border-line pb-6">
        <div>
          <h1 ref={title} tabIndex={-1} className="display-2">
            Order {shortId(order.id, 8)}
          </h1>
          <p className="mt-1 text-sm text-ink-soft tabular-nums">
            In our emails and on your dashboard: {shortId(order.id, 6)}
          </p>
          <p className="mt-2 flex items-center gap-3 text-ink-soft">
            {formatDate(order.created_at)} <OrderStatusBadge status={order.status} />
          </p>
        </div>
        <p className="font-display text-4xl font-extrabold tracking-tight tabular-nums">
          {formatPrice(order.total)}
        </p>
      </div>
      <Money order={order} onEnd={() => title.current?.focus()} />
      {progress?.has_problem ? <Notices texts={[HAS_PROBLEM]} /> : null}
      <OrderTimeline
        status={order.status}
        wasPaid={order.paid_at !== null}
        dates={progress?.steps}
      />
      <div className="mt-8 grid items-start gap-6 md:grid-cols-2">
        <Card>
          <CardTitle className="mb-4">Order Information</CardTitle>
          <dl className="grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5">
            <Fact name="Status">{capitalise(order.status)}</Fact>
            <Fact name="Placed">{formatDate(order.created_at)}</Fact>
            <Fact name="Total">{formatPrice(order.total)}</Fact>
            {order.refunded_cents > 0 ? (
              <Fact name="Returned">{formatPrice(order.refunded_cents / 100)}</Fact>
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
        {order.status === "cancelled" ? null : (
          <OrderParcel
            carrier={order.carrier}
            number={order.tracking_number}
            url={order.tracking_url}
          />
        )}
        <OrderHelp number={shortId(order.id, 6)} />
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
          {order.shipping_cents === null ? null : <OrderShipping cents={order.shipping_cents} />}
          {order.paid_at === null ? null : <OrderAgain order={order} className="mt-5" />}
        </Card>
      </div>
    </div>
  );
}

/** What is still to be paid, or goes back, or was never charged. */
function Money({ order, onEnd }: { order: Order; onEnd: () => void }) {
  if (order.status === "pending") return <FinishPayment order={order} onEnd={onEnd} />;
  const wasPaid = order.paid_at !== null;
  if (order.status === "cancelled" && !wasPaid) return <NeverCharged order={order} />;
  const texts = moneyTexts({
    status: order.status,
    wasPaid,
    totalCents: order.total_cents,
    refundedCents: order.refunded_cents,
    lostCents: order.lost_cents,
    refundedAt: order.refunded_at,
    isHeld: order.held_at !== null,
  });
  return <Notices texts={texts} />;
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
