import { Elements } from "@stripe/react-stripe-js";
import { type FormEvent, useState } from "react";
import { CardField } from "@/components/card-field";
import { Button } from "@/components/ui/button";
import { getStripe } from "@/lib/stripe";
import { formatPrice } from "@/lib/text/format";
import type { Order } from "@/shop/orders/get-order";
import { useFinishPayment } from "./use-finish-payment";

interface PaymentFormProps {
  order: Order;
  /** Paid or not to be paid any more: the form is gone. */
  onEnd: () => void;
}

/** The card's form, in a part of its own: orders that are paid load no Stripe. */
export function PaymentForm(props: PaymentFormProps) {
  return (
    <Elements stripe={getStripe()}>
      <CardForm {...props} />
    </Elements>
  );
}

function CardForm({ order, onEnd }: PaymentFormProps) {
  const { ready, running, refusal, forgetRefusal, submit } = useFinishPayment(order, onEnd);
  const [complete, setComplete] = useState(false);

  function pay(event: FormEvent) {
    event.preventDefault();
    void submit();
  }

  return (
    <form noValidate onSubmit={pay} className="flex flex-col gap-4">
      <CardField
        disabled={running}
        refusal={refusal}
        onChange={(isComplete) => {
          setComplete(isComplete);
          forgetRefusal();
        }}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" size="lg" busy={running} disabled={!ready || !complete}>
          {running ? "Processing..." : `Pay ${formatPrice(order.total)}`}
        </Button>
        <p className="text-sm text-ink-soft">Your card number goes straight to Stripe.</p>
      </div>
    </form>
  );
}
