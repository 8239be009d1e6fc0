import { lazy, Suspense, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { Notices } from "@/components/notices";
import { Button } from "@/components/ui/button";
import { Card, CardTitle } from "@/components/ui/card";
import { Spinner } from "@/components/ui/spinner";
import { formatNextTime } from "@/lib/text/format";
import type { Order } from "@/shop/orders/get-order";
import { payableUntil } from "@/shop/orders/order-timeline";
import { usePaymentState } from "../api/finish-payment";

const PaymentForm = lazy(() =>
  import("./payment-form").then((module) => ({ default: module.PaymentForm })),
);

/** An unpaid order, and the way to pay it. The dashboard leads here with the form open (#pay). */
export function FinishPayment({ order, onEnd }: { order: Order; onEnd: () => void }) {
  const { hash } = useLocation();
  const [open, setOpen] = useState(hash === "#pay");
  const title = useRef<HTMLHeadingElement>(null);
  const payment = usePaymentState(order.id);

  if (payment.data === "processing") {
    return (
      <Notices
        texts={["Your bank is still at work on this payment. There is nothing for you to do."]}
      />
    );
  }

  function show() {
    setOpen(true);
    title.current?.focus();
  }

  return (
    <Card className="mb-8 border-line-strong">
      <section aria-labelledby="finish-payment" className="flex flex-col gap-4">
        <div>
          <CardTitle id="finish-payment" ref={title} tabIndex={-1}>
            Finish your payment
          </CardTitle>
          <p className="mt-1.5 max-w-prose">
            {payment.data === "left_at_the_bank"
              ? "Your bank asked you to confirm the payment, and that was not finished. "
              : null}
            {untilWhen(payableUntil(order.created_at))}
          </p>
        </div>
        {open ? (
          <Suspense fallback={<Spinner />}>
            <PaymentForm order={order} onEnd={onEnd} />
          </Suspense>
        ) : (
          <Button size="lg" className="self-start" onClick={show}>
            Finish payment
          </Button>
        )}
      </section>
    </Card>
  );
}

function untilWhen(until: Date, now = new Date()): string {
  const state = "This order is not paid yet, so nothing of it is printed.";
  return until > now
    ? `${state} If it stays unpaid, we cancel it ${formatNextTime(until)}.`
    : `${state} Its day is over: we cancel it within the hour.`;
}
