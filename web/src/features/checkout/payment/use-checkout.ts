/** Runs the checkout for the page: one at a time, the same order again when only the card was refused. */
import { CardElement, useElements, useStripe } from "@stripe/react-stripe-js";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorMessage } from "@/lib/errors";
import { clearNotices, notify, notifyProblem } from "@/lib/notify";
import { type Fault, faultOfResponse } from "../address/first-invalid";
import {
  createPaymentIntent,
  type OrderDraft,
  type PaymentIntent,
  paymentBody,
} from "../api/create-payment-intent";
import { createPrintifyOrder } from "../api/create-printify-order";
import { sendOrderWebhook } from "../api/send-order-webhook";
import { markOrderPaid } from "../api/update-order-status";
import { confirmCard } from "./confirm-card";
import { forgetInFlight, type InFlight, isCharged, saveInFlight } from "./in-flight";
import { type CheckoutResult, finishPaid, PaymentFailed, runCheckout } from "./run-checkout";

const FALLBACK = "There was an error processing your payment. Please try again.";

export function useCheckout() {
  const stripe = useStripe();
  const elements = useElements();
  const client = useQueryClient();
  const [processing, setProcessing] = useState(false);
  const busy = useRef(false);
  const placed = useRef<{ body: string; intent: PaymentIntent }>(undefined);

  /** The order already placed for exactly this cart and address, else a new one. */
  async function placeOrder(draft: OrderDraft): Promise<PaymentIntent> {
    const body = paymentBody(draft);
    const text = JSON.stringify(body);
    if (placed.current?.body !== text)
      placed.current = { body: text, intent: await createPaymentIntent(body) };
    const { intent } = placed.current;
    saveInFlight({
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
    forgetInFlight();
    if (handedOver) {
      notify("Payment Successful!", "Your order has been placed successfully.");
    } else {
      notifyProblem(
        "Order Processing Notice",
        "Your payment was successful, but there was an issue with order processing. Our team will contact you shortly.",
      );
    }
    return orderId;
  }

  /** One at a time; meanwhile the form is busy. */
  async function withLock(
    work: () => Promise<string | undefined>,
    onProblem: (error: unknown) => void,
  ): Promise<string | undefined> {
    if (busy.current) return undefined;
    busy.current = true;
    setProcessing(true);
    try {
      return await work();
    } catch (error) {
      onProblem(error);
      return undefined;
    } finally {
      busy.current = false;
      setProcessing(false);
      void client.invalidateQueries({ queryKey: ["orders"] });
    }
  }

  return {
    ready: stripe !== null,
    processing,
    /** The id of the paid order. Undefined if nothing was charged; a message or a field then shows the reason. */
    checkOut(draft: OrderDraft, onFault: (fault: Fault) => void): Promise<string | undefined> {
      clearNotices();
      return withLock(
        () => pay(draft),
        (error) => {
          const fault = faultOfResponse(error);
          if (fault) onFault(fault);
          else notifyFailure(error);
        },
      );
    },
    /** The id of the order that was paid before a reload, if there is one. */
    resume(draft: OrderDraft, payment: InFlight): Promise<string | undefined> {
      return withLock(
        () => finish(draft, payment),
        // The outcome is unknown: show the form. Stripe charges a PaymentIntent only once.
        (error) => console.warn("The payment under way could not be looked up:", error),
      );
    },
  };
}

function notifyFailure(error: unknown): void {
  const message = error instanceof PaymentFailed ? error.message : errorMessage(error, FALLBACK);
  notifyProblem("Payment Failed", message || FALLBACK);
}

function stepsAfterCharge(draft: OrderDraft) {
  return {
    markPaid: markOrderPaid,
    sendToPrint: (id: string) => createPrintifyOrder(id, draft),
    sendConfirmation: sendOrderWebhook,
  };
}
