import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { Backend, DESIGN_ID } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { fakeStripe } from "@/testing/stripe";
import { OrderDetailsPage } from "./order-details-page";

const ORDER = {
  id: "11111111-2222-4333-8444-0000abcdef12",
  total: 39.8,
  total_cents: 3980,
  status: "paid",
  paid_at: "2026-11-05T23:31:00-05:00",
  refunded_cents: 0,
  refunded_at: null,
  lost_cents: 0,
  held_at: null,
  created_at: "2026-11-05T23:30:00-05:00",
  tracking_url: null,
  tracking_number: null,
  carrier: null,
  shipping_address: JSON.stringify({ first_name: "Ada", city: "London", country: "GB" }),
  printify_order_id: "p1",
  order_items: [
    {
      id: "i1",
      design_id: DESIGN_ID,
      product_variant_id: "v1",
      printify_product_id: "p1",
      printify_variant_id: 12_125,
      quantity: 2,
      unit_price: "19.90",
      product_name: "A fox",
      product_image_url: null,
      product_size: "M",
      product_color: "Navy",
    },
  ],
};

const PROGRESS = "POST /rest/v1/rpc/get_order_progress";
const PAYMENT = "POST /functions/v1/finish-payment";

function open(
  order: object | null,
  {
    signedIn = true,
    path = `/order-details/${ORDER.id}`,
    payment_status = "requires_payment_method",
    progress = null as object | null,
  } = {},
) {
  const backend = new Backend();
  if (signedIn) backend.signedIn();
  backend.on("GET /rest/v1/orders", { body: order ? [order] : [] });
  backend.on(PROGRESS, { body: progress }).on(PAYMENT, {
    body: { client_secret: "pi_1_secret_1", order_id: ORDER.id, payment_status },
  });
  renderRoutes([{ path: "/order-details/:orderId", element: <OrderDetailsPage /> }], path);
  return { backend, user: userEvent.setup() };
}

test("signed-out visitors are told so, with the way in and back", async () => {
  open(ORDER, { signedIn: false });
  await screen.findByRole("heading", { name: "Access Denied" });
  expect(screen.getByRole("link", { name: "Log In" }).getAttribute("href")).toBe(
    `/auth?redirect=${encodeURIComponent(`/order-details/${ORDER.id}`)}`,
  );
});

test("an order that is not one's own is not found", async () => {
  open(null);
  await screen.findByRole("heading", { name: "Order Not Found" });
  expect(screen.getByText("Error: There is no such order in your account.")).toBeTruthy();
});

test("an id that is none is answered without a request", async () => {
  const { backend } = open(ORDER, { path: "/order-details/latest" });
  await screen.findByText("Error: There is no such order in your account.");
  expect(backend.requestsTo("GET /rest/v1/orders")).toEqual([]);
  expect(screen.queryByRole("button", { name: "Try Again" })).toBeNull();
});

test("an order that could not be read can be asked for again", async () => {
  const { backend, user } = open(ORDER);
  backend.on("GET /rest/v1/orders", {
    status: 400,
    body: { code: "XX000", message: "Out of ink" },
  });
  await screen.findByText("Error: The order could not be loaded.");
  expect(screen.getByRole("link", { name: "Back to Dashboard" })).toBeTruthy();
  backend.on("GET /rest/v1/orders", { body: [ORDER] });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("heading", { name: "Order #ABCDEF12" });
});

test("an order shows its last eight characters, its day in UTC, and what it costs", async () => {
  open(ORDER);
  await screen.findByRole("heading", { name: "Order #ABCDEF12" });
  expect(screen.getAllByText("Nov 6, 2026").length).toBeGreaterThan(0);
  expect(screen.getAllByText("$39.80").length).toBeGreaterThan(0);
  expect(screen.getByText("Navy, M")).toBeTruthy();
  expect(screen.getByText("United Kingdom")).toBeTruthy();
});

test("the owner's page shows what the page from the emails shows, and both numbers", async () => {
  open(
    { ...ORDER, shipping_cents: 590 },
    {
      progress: {
        steps: { pending: "2026-11-05T10:00:00Z", paid: "2026-11-08T10:00:00Z" },
        has_problem: true,
      },
    },
  );
  await screen.findByText("In our emails and on your dashboard: #CDEF12");
  expect(await screen.findByText("Nov 8, 2026")).toBeTruthy();
  expect(screen.getByText(/Printing takes a little longer/)).toBeTruthy();
  expect(screen.getByText(/Carrier and tracking number are here as soon as/)).toBeTruthy();
  expect(screen.getByText("Shipping").nextSibling?.textContent).toBe("$5.90");
  expect(screen.getByText(/name order #CDEF12/)).toBeTruthy();
});

test("a parcel can be followed, but only to a web address", async () => {
  const shipped = { ...ORDER, status: "shipped", carrier: "USPS", tracking_number: "94001" };
  open({ ...shipped, tracking_url: "javascript:alert(1)" });
  expect(await screen.findByText("94001")).toBeTruthy();
  expect(screen.queryByRole("link", { name: /94001/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "Cancel order" })).toBeNull();
});

test("a paid order is cancelled after asking, and the money goes back", async () => {
  const { backend, user } = open(ORDER);
  backend.on("POST /functions/v1/cancel-order", {
    body: { order_id: ORDER.id, status: "cancelled", refunded: true },
  });
  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  expect(backend.requestsTo("POST /functions/v1/cancel-order")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));
  expect(await screen.findByText("Order cancelled")).toBeTruthy();
  expect(screen.getByText(/5-7 business days/)).toBeTruthy();
  expect(backend.requestsTo("POST /functions/v1/cancel-order")[0]?.body).toEqual({
    order_id: ORDER.id,
  });
  await waitFor(() => expect(backend.requestsTo("GET /rest/v1/orders").length).toBeGreaterThan(1));
});

test("a refusal to cancel says why", async () => {
  const { backend, user } = open(ORDER);
  backend.on("POST /functions/v1/cancel-order", {
    status: 409,
    body: { error: "Printing has begun.", code: "too_late" },
  });
  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));
  expect(await screen.findByText("Printing has begun.")).toBeTruthy();
});

const UNPAID = { ...ORDER, status: "pending", paid_at: null, printify_order_id: null };

/** The order page of an unpaid order with its card filled in, and what Stripe's confirmation answers. */
async function payable(confirmation: object) {
  fakeStripe.answers(confirmation);
  const { backend, user } = open(UNPAID, { path: `/order-details/${ORDER.id}#pay` });
  for (const slug of ["update-order-status", "create-printify-order", "send-order-webhook"])
    backend.on(`POST /functions/v1/${slug}`, { body: { success: true } });
  await waitFor(() => expect(fakeStripe.isMounted()).toBe(true));
  fakeStripe.complete();
  return { backend, user };
}

beforeEach(() => {
  vi.stubGlobal("Stripe", fakeStripe.script);
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-06T05:00:00Z") });
});

test("an unpaid order says so, until when, and asks Stripe for nothing before it is to be paid", async () => {
  const { user } = open(UNPAID);
  await screen.findByRole("heading", { name: "Finish your payment" });
  expect(screen.getByText(/not paid yet.*we cancel it (at|on)/)).toBeTruthy();
  expect(screen.queryByText("We have your sizes and your address.")).toBeNull();
  expect(screen.getByText("It has not been paid.")).toBeTruthy();
  expect(fakeStripe.isMounted()).toBe(false);
  await user.click(screen.getByRole("button", { name: "Finish payment" }));
  await waitFor(() => expect(fakeStripe.isMounted()).toBe(true));
});

test("a bank's question that was left open is told apart", async () => {
  open(UNPAID, { payment_status: "requires_action" });
  await screen.findByText(/Your bank asked you to confirm the payment, and that was not finished/);
  expect(screen.getByRole("button", { name: "Finish payment" })).toBeTruthy();
});

test("a payment that the bank is still at work on is not asked for again", async () => {
  const { backend } = open(UNPAID);
  backend.on(PAYMENT, { status: 409, body: { error: "Wait.", code: "payment_processing" } });
  await screen.findByText(/Your bank is still at work on this payment/);
  expect(screen.queryByText("Finish your payment")).toBeNull();
});

test("a charge that the shop had missed is found by looking at the order", async () => {
  const { backend } = open(UNPAID);
  backend.on(PAYMENT, () => {
    backend.on("GET /rest/v1/orders", { body: [ORDER] });
    return { status: 409, body: { error: "No.", code: "already_paid" } };
  });
  await waitFor(() => expect(screen.queryByText("Your card was charged once.")).toBeTruthy());
  expect(screen.queryByText("Finish your payment")).toBeNull();
});

test("an order whose day is over says that it will be cancelled soon", async () => {
  vi.setSystemTime("2026-11-07T05:00:00Z");
  open(UNPAID);
  await screen.findByText(/we cancel it within the hour/);
});

test("an unpaid order is paid with its own payment, once, and printed", async () => {
  const { backend, user } = await payable({ paymentIntent: { status: "succeeded" } });
  backend.on("GET /rest/v1/orders", { body: [ORDER] });
  await user.dblClick(await screen.findByRole("button", { name: "Pay $39.80" }));
  await screen.findByText("Payment Successful!");
  await waitFor(() => expect(screen.queryByText("Finish your payment")).toBeNull());
  const called = backend.requests.filter((request) => request.path.startsWith("/functions/"));
  expect(called.map((request) => request.path.split("/").at(-1))).toEqual([
    // how far the payment has come, and then the payment
    "finish-payment",
    "finish-payment",
    "update-order-status",
    "create-printify-order",
    "send-order-webhook",
  ]);
  expect(called[3]?.body).toMatchObject({
    orderId: ORDER.id,
    lineItems: [{ product_id: "p1", variant_id: 12_125, quantity: 2 }],
  });
});

test("a declined card is told at the card until it is changed", async () => {
  const { user } = await payable({ error: { message: "Your card was declined." } });
  await user.click(await screen.findByRole("button", { name: "Pay $39.80" }));
  await screen.findByText("Payment Failed");
  expect(screen.getByRole("alert").textContent).toBe("Your card was declined.");
  fakeStripe.complete();
  await waitFor(() => expect(screen.queryByRole("alert")?.textContent ?? "").toBe(""));
});

test.each([
  ["already_paid", ORDER, "Paid Already"],
  ["payment_expired", { ...UNPAID, status: "cancelled" }, "Order Cancelled"],
])("%s: the page shows what has become of the order", async (code, order, title) => {
  const { backend, user } = await payable({});
  backend.on(PAYMENT, { status: 409, body: { error: "No.", code } });
  backend.on("GET /rest/v1/orders", { body: [order] });
  await user.click(await screen.findByRole("button", { name: "Pay $39.80" }));
  await screen.findByText(title);
  await waitFor(() => expect(screen.queryByText("Finish your payment")).toBeNull());
  expect(fakeStripe.confirmations).toEqual([]);
});

test("an order that was cancelled unpaid was not charged and can be ordered again", async () => {
  open({ ...UNPAID, status: "cancelled" });
  await screen.findByText("This order was cancelled before it was paid. Nothing was charged.");
  expect(screen.getByRole("link", { name: "Order again" }).getAttribute("href")).toBe(
    `/order?design=${DESIGN_ID}&color=v1`,
  );
  expect(screen.queryByText(/goes back to your card/)).toBeNull();
});

test("a paid order can be ordered again as long as its design is there", async () => {
  open(ORDER);
  const again = await screen.findByRole("link", { name: "Order again" });
  expect(again.getAttribute("href")).toBe(`/order?design=${DESIGN_ID}&color=v1`);
  cleanup();
  const [item] = ORDER.order_items;
  open({ ...ORDER, order_items: [{ ...item, design_id: null }] });
  await screen.findByRole("heading", { name: "Order Items" });
  expect(screen.queryByRole("link", { name: "Order again" })).toBeNull();
});

test("an order that was refunded in production says what went back", async () => {
  open({
    ...ORDER,
    status: "processing",
    refunded_cents: 1990,
    refunded_at: "2026-11-09T10:00:00Z",
  });
  await screen.findByText(/We returned \$19\.90 to your card on Nov 9, 2026/);
});

test("an order that a bank asks about says what holds it, and that its refund waits", async () => {
  const { backend, user } = open({ ...ORDER, held_at: "2026-11-09T10:00:00Z" });
  await screen.findByText(/Your bank has asked about this payment.*your order waits/);
  backend.on("POST /functions/v1/cancel-order", {
    body: { order_id: ORDER.id, status: "cancelled", refunded: false },
  });
  await user.click(screen.getByRole("button", { name: "Cancel order" }));
  await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));
  await screen.findByText(/comes back to your card once your bank has settled/);
});
