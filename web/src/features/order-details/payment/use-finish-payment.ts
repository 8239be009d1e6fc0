/** Pays an order that was placed before, with its own payment; what has become of it meanwhile is told. */
import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "@/lib/browser/use-one-at-a-time";
import { ServiceError } from "@/lib/errors/errors";
import { clearNotices, notify, notifyProblem } from "@/lib/errors/notify";
import type { Order } from "@/shop/orders/get-order";
import { sendOrderWebhook } from "@/shop/orders/send-order-webhook";
import { emptyAddress, orderAddress } from "@/shop/orders/shipping-address";
import { confirmCard } from "@/shop/payment/confirm-card";
import { createPrintifyOrder } from "@/shop/payment/create-printify-order";
import { tellFailure, tellPaid } from "@/shop/payment/outcome";
import { PaymentFailed, runCheckout } from "@/shop/payment/run-checkout";
import { markOrderPaid } from "@/shop/payment/update-order-status";
import { ORDERS_KEY } from "@/shop/query-keys";
import { finishPayment, paymentQuery } from "../api/finish-payment";

export function useFinishPayment(order: Order, onEnd: () => void) {
  const stripe = useStripe();
  const elements = useElements();
  const client = useQueryClient();
  const { running, run } = useOneAtATime();
  const [refusal, setRefusal] = useState<string>();

  async function pay(): Promise<void> {
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) throw new PaymentFailed("Card element not found");
    const address = orderAddress(order.shipping_address) ?? emptyAddress;
    const { handedOver } = await runCheckout({
      placeOrder: () => finishPayment(order.id),
      confirmCard: (secret) => confirmCard(stripe, card, secret, address),
      markPaid: markOrderPaid,
      sendToPrint: (id) => createPrintifyOrder(id, address, printLines(order)),
      sendConfirmation: sendOrderWebhook,
    });
    tellPaid(handedOver);
  }

  /** Whether there is nothing left to pay. */
  function tellEnd(error: unknown): boolean {
    const code = error instanceof ServiceError ? error.code : undefined;
    if (code === "already_paid") notify("Paid Already", "This order was paid in the meantime.");
    else if (code === "payment_expired")
      notifyProblem("Order Cancelled", "Its time is over and nothing was charged. Order it again.");
    else {
      setRefusal(tellFailure(error));
      return false;
    }
    return true;
  }

  return {
    ready: stripe !== null,
    running,
    refusal,
    forgetRefusal: () => setRefusal(undefined),
    submit: () =>
      run(async () => {
        clearNotices();
        setRefusal(undefined);
        const ended = await pay().then(() => true, tellEnd);
        // Paid or not, in this tab or in another one: the page shows what has become of it.
        await client.invalidateQueries({ queryKey: ORDERS_KEY });
        if (ended) onEnd();
        else void client.invalidateQueries({ queryKey: paymentQuery(order.id).queryKey });
      }),
  };
}

function printLines(order: Order) {
  return order.order_items.map((item) => ({
    product_id: item.printify_product_id,
    variant_id: item.printify_variant_id,
    quantity: item.quantity,
  }));
}
