/** The three webhook tests, with a toast for each outcome. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { shortId } from "@/lib/text/format";
import { sendOrderWebhook } from "@/shop/orders/send-order-webhook";
import { ORDERS_KEY } from "@/shop/query-keys";
import { ADMIN_KEY } from "../admin-key";
import { findLatestOrder, findLatestPrintedOrder } from "../api/find-latest-order";
import { sendTrackingWebhook } from "../api/send-tracking-webhook";
import { shipOrder } from "../api/ship-order";
import { testWebhook } from "../api/test-webhook";

const FALLBACK = "The test could not be run. Please try again.";

/** The text as JSON, or why it is none. */
export function parseTestData(text: string): { payload: unknown } | { problem: string } {
  try {
    return { payload: JSON.parse(text) as unknown };
  } catch (error) {
    const detail = error instanceof Error ? ` ${error.message}.` : "";
    return { problem: `The test data is not valid JSON.${detail}` };
  }
}

async function runOrderTest(): Promise<string | undefined> {
  const orderId = await findLatestOrder();
  if (orderId) await sendOrderWebhook(orderId);
  return orderId;
}

async function runShippedTest(): Promise<string | undefined> {
  const order = await findLatestPrintedOrder();
  if (!order) return undefined;
  await shipOrder(order.id);
  await sendTrackingWebhook(order.printify_order_id);
  return order.id;
}

export function useCustomTest() {
  return useMutation({
    mutationFn: ({ url, payload }: { url: string; payload: unknown }) => testWebhook(url, payload),
    onSuccess: ({ ok, status, body }) => {
      const said = `The address answered ${status}.${body ? ` ${body.slice(0, 200)}` : ""}`;
      if (ok) notify("Webhook Test Successful", said);
      else notifyProblem("Webhook Test Failed", said);
    },
    onError: (error) => notifyProblem("Webhook Test Error", errorMessage(error, FALLBACK)),
  });
}

export function useOrderTest() {
  return useMutation({
    mutationFn: runOrderTest,
    onSuccess: (orderId) => {
      if (orderId)
        notify("Order Webhook Test Successful", `Sent for order ${shortId(orderId, 6)}.`);
      else notifyProblem("No Orders Found", "There is no paid order to test with yet.");
    },
    onError: (error) => notifyProblem("Order Webhook Test Failed", errorMessage(error, FALLBACK)),
  });
}

export function useShippedTest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: runShippedTest,
    onSuccess: (orderId) => {
      if (orderId)
        notify("Shipped Webhook Test Successful", `Sent for order ${shortId(orderId, 6)}.`);
      else notifyProblem("No Orders Found", "The printer has taken no order to test with yet.");
    },
    onError: (error) => notifyProblem("Shipped Webhook Test Failed", errorMessage(error, FALLBACK)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ADMIN_KEY }),
        client.invalidateQueries({ queryKey: ORDERS_KEY }),
      ]),
  });
}
