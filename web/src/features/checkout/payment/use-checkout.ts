/** Runs the checkout for the page: one at a time, the same order again when only the card was refused. */
import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useOneAtATime } from "@/lib/browser/use-one-at-a-time";
import { clearNotices } from "@/lib/errors/notify";
import { useUser } from "@/lib/session/session-provider";
import { sendOrderWebhook } from "@/shop/orders/send-order-webhook";
import { confirmCard, isCharged } from "@/shop/payment/confirm-card";
import { createPrintifyOrder } from "@/shop/payment/create-printify-order";
import { tellFailure, tellPaid } from "@/shop/payment/outcome";
import {
  type CheckoutResult,
  finishPaid,
  PaymentFailed,
  runCheckout,
} from "@/shop/payment/run-checkout";
import { markOrderPaid } from "@/shop/payment/update-order-status";
import { ORDERS_KEY } from "@/shop/query-keys";
import { type Fault, faultOfResponse } from "../address/first-invalid";
import {
  createPaymentIntent,
  type OrderDraft,
  type PaymentIntent,
  paymentBody,
} from "../api/create-payment-intent";
import { forgetInFlight, type InFlight, saveInFlight } from "./in-flight";

export function useCheckout() {
  const stripe = useStripe();
  const elements = useElements();
  const client = useQueryClient();
  const owner = useUser().id;
  const { running, run } = useOneAtATime();
  const [refusal, setRefusal] = useState<string>();
  const placed = useRef<{ body: string; intent: PaymentIntent }>(undefined);

  /** The order already placed for exactly this cart and address, else a new one. */
  async function placeOrder(draft: OrderDraft): Promise<PaymentIntent> {
    const body = paymentBody(draft);
    const text = JSON.stringify(body);
    if (placed.current?.body !== text)
      placed.current = { body: text, intent: await createPaymentIntent(body) };
    const { intent } = placed.current;
    saveInFlight(owner, {
      designId: draft.design.id,
      clientSecret: intent.client_secret,
      orderId: intent.order_id,
    });
    return intent;
  }

  async function pay(draft: OrderDraft): Promise<string> {
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) throw new PaymentFailed("Card element not found");
    if (draft.lines.length === 0) throw new PaymentFailed("Selected size variant not found");
    return showOutcome(
      await runCheckout({
        placeOrder: () => placeOrder(draft),
        confirmCard: (secret) => confirmCard(stripe, card, secret, draft.address),
        ...stepsAfterCharge(draft),
      }),
    );
  }

  /** Finishes a checkout that a reload interrupted, if the card was charged. */
  async function finish(draft: OrderDraft, payment: InFlight): Promise<string | undefined> {
    const retrieved = await stripe?.retrievePaymentIntent(payment.clientSecret);
    if (!isCharged(retrieved?.paymentIntent?.status)) return undefined;
    return showOutcome(await finishPaid(payment.orderId, stepsAfterCharge(draft)));
  }

  function showOutcome({ orderId, handedOver }: CheckoutResult): string {
    placed.current = undefined;
    forgetInFlight(owner);
    tellPaid(handedOver);
    return orderId;
  }

  function attempt(
    work: () => Promise<string | undefined>,
    onProblem: (error: unknown) => void,
  ): Promise<string | undefined> {
    return run(async () => {
      try {
        return await work();
      } catch (error) {
        onProblem(error);
        return undefined;
      } finally {
        void client.invalidateQueries({ queryKey: ORDERS_KEY });
      }
    });
  }

  return {
    ready: stripe !== null,
    processing: running,
    /** Why the last attempt charged nothing. */
    refusal,
    forgetRefusal: () => setRefusal(undefined),
    /** The id of the paid order. Undefined if nothing was charged; a message or a field then shows the reason. */
    checkOut(draft: OrderDraft, onFault: (fault: Fault) => void): Promise<string | undefined> {
      clearNotices();
      setRefusal(undefined);
      return attempt(
        () => pay(draft),
        (error) => {
          const fault = faultOfResponse(error);
          if (fault) onFault(fault);
          else setRefusal(tellFailure(error));
        },
      );
    },
    /** The id of the order that was paid before a reload, if there is one. */
    resume(draft: OrderDraft, payment: InFlight): Promise<string | undefined> {
      return attempt(
        () => finish(draft, payment),
        // The outcome is unknown: show the form. Stripe charges a PaymentIntent only once.
        (error) => console.warn("The payment under way could not be looked up:", error),
      );
    },
  };
}

function stepsAfterCharge(draft: OrderDraft) {
  return {
    markPaid: markOrderPaid,
    sendToPrint: (id: string) => createPrintifyOrder(id, draft.address, printLines(draft)),
    sendConfirmation: sendOrderWebhook,
  };
}

function printLines({ lines, productId }: OrderDraft) {
  return lines.map(({ variant, quantity }) => ({
    product_id: productId,
    variant_id: variant.printify_variant_id,
    quantity,
  }));
}
