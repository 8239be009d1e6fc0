import type { ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { LoadFailed } from "@/components/load-failed";
import { MessagePage } from "@/components/message-page";
import { OrderItem } from "@/components/order-item";
import { OrderStatusBadge } from "@/components/order-status-badge";
import { OrderTimeline } from "@/components/order-timeline";
import { PageTitle } from "@/components/page-title";
import { TrackingLink } from "@/components/tracking-link";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { isMissing } from "@/lib/errors";
import { formatPrice } from "@/lib/format";
import { useSession } from "@/lib/session/session-provider";
import { SUPPORT_EMAIL } from "@/shop/support";
import { useOwnOrder } from "./api/find-own-order";
import { type TrackedOrder, useOrderStatus } from "./api/get-order-status";
import { Notices } from "./notices";

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
      <Notices order={order} />
      <OrderTimeline status={order.status} dates={order.steps} />
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
          <p className="flex justify-between border-t border-line pt-4">
            <span className="text-ink-soft">Shipping</span>
            <span className="font-semibold tabular-nums">
              {order.shipping_cents ? formatPrice(order.shipping_cents / 100) : "Free"}
            </span>
          </p>
        </Card>
        <div className="flex flex-col gap-6">
          {order.status === "cancelled" ? null : <Parcel order={order} />}
          <Help order={order} />
        </div>
      </div>
    </div>
  );
}

function Parcel({ order }: { order: TrackedOrder }) {
  const { carrier, number, url } = order.tracking;
  return (
    <Card>
      <CardTitle className="mb-4">Parcel</CardTitle>
      {number || carrier ? (
        <dl className="grid grid-cols-[auto_1fr] gap-x-8 gap-y-2.5">
          {carrier ? <Fact name="Carrier">{carrier}</Fact> : null}
          {number ? (
            <Fact name="Tracking">
              <TrackingLink number={number} url={url} />
            </Fact>
          ) : null}
        </dl>
      ) : (
        <p className="text-ink-soft">
          Carrier and tracking number are here as soon as the parcel is on its way.
        </p>
      )}
    </Card>
  );
}

function Help({ order }: { order: TrackedOrder }) {
  const { user } = useSession();
  const own = useOwnOrder(order.order_id, user?.id);
  return (
    <Card>
      <CardTitle className="mb-4">Help</CardTitle>
      <p className="text-ink-soft">
        Write to <SupportLink /> and name order {order.number}.
      </p>
      {own.data ? (
        <Button asChild variant="secondary" className="mt-4">
          <Link to={`/order-details/${order.order_id}`}>See the full order</Link>
        </Button>
      ) : null}
    </Card>
  );
}

function SupportLink() {
  return (
    <a
      href={`mailto:${SUPPORT_EMAIL}`}
      className="wrap-anywhere text-cobalt-text underline underline-offset-4"
    >
      {SUPPORT_EMAIL}
    </a>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 font-semibold tabular-nums">{children}</dd>
    </>
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
