import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, type Handler } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { OrderTrackingPage } from "./order-tracking-page";

const STATUS = "POST /functions/v1/get-order-status";
const ORDERS = "GET /rest/v1/orders";
const TOKEN = "A".repeat(68);
const ORDER = {
  order_id: "11111111-2222-4333-8444-0000abcdef12",
  number: "#CDEF12",
  status: "paid",
  steps: { pending: "2026-11-01T10:00:00Z", paid: "2026-11-02T10:00:00Z", shipped: null },
  has_problem: false,
  items: [
    {
      name: "A <b>fox</b>",
      color: "Navy",
      size: "M",
      quantity: 2,
      unit_price_cents: 1990,
      image_url: null,
    },
  ],
  shipping_cents: 590,
  total_cents: 4570,
  refunded_cents: 0,
  refunded_at: null,
  lost_cents: 0,
  is_held: false,
  tracking: { carrier: null, number: null, url: null },
  first_name: "Ann",
  city: "Toronto",
  country: "Canada",
};

function open(handler: Handler, { signedIn = false, mine = true, hash = `#${TOKEN}` } = {}) {
  const backend = new Backend().on(STATUS, handler);
  if (signedIn) backend.signedIn();
  backend.on(ORDERS, { body: mine ? [{ id: ORDER.order_id }] : [] });
  renderRoutes([{ path: "/track", element: <OrderTrackingPage /> }], `/track${hash}`);
  return { backend, user: userEvent.setup() };
}

test("the token goes in the body, and the order shows without signing in", async () => {
  const { backend } = open({ body: ORDER });
  await screen.findByRole("heading", { name: "Order #CDEF12" });
  expect(backend.requestsTo(STATUS).map((request) => request.body)).toEqual([{ token: TOKEN }]);
  expect(backend.requestsTo(ORDERS)).toEqual([]);
  expect(screen.getByText("For Ann, in Toronto, Canada")).toBeTruthy();
  expect(screen.getByText("A <b>fox</b>")).toBeTruthy();
  expect(screen.getByText("$45.70")).toBeTruthy();
  expect(screen.getByText("Nov 2, 2026")).toBeTruthy();
  expect(screen.getByText(/as soon as the parcel is on its way/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "See the full order" })).toBeNull();
});

test("crawlers and other sites learn nothing from the page", async () => {
  open({ body: ORDER });
  await screen.findByRole("heading", { name: "Order #CDEF12" });
  const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`);
  expect(meta("robots")?.content).toBe("noindex");
  expect(meta("referrer")?.content).toBe("no-referrer");
});

test("a parcel's number leads to its carrier, whose address must be one of the web", async () => {
  const tracking = { carrier: "USPS", number: "9400", url: "https://track.example/9400" };
  open({ body: { ...ORDER, status: "shipped", tracking } });
  const link = await screen.findByRole("link", { name: /9400/ });
  expect(link.getAttribute("href")).toBe("https://track.example/9400");
  expect(link.getAttribute("rel")).toBe("noreferrer");
});

test.each([
  ["a problem", { has_problem: true }, /Printing takes a little longer/],
  ["a bank's question", { is_held: true }, /Your bank has asked about this payment/],
  ["a coming refund", { status: "cancelled" }, /We return \$45\.70 to your card/],
  [
    "a refund",
    { status: "delivered", refunded_cents: 4570, refunded_at: "2026-11-09T10:00:00Z" },
    /We returned \$45\.70 to your card on Nov 9, 2026/,
  ],
])("%s is said", async (_what, changes, text) => {
  open({ body: { ...ORDER, ...changes } });
  expect(await screen.findByText(text)).toBeTruthy();
});

test("an order that was never paid promises no refund", async () => {
  const steps = { ...ORDER.steps, paid: null };
  open({ body: { ...ORDER, status: "cancelled", steps } });
  await screen.findByRole("heading", { name: "Order #CDEF12" });
  expect(screen.queryByText(/We return/)).toBeNull();
});

test("a link that opens nothing says where help is", async () => {
  open({ status: 404, body: { error: "Order not found.", code: "order_not_found" } });
  await screen.findByRole("heading", { name: "This link is not valid any more" });
  expect(screen.getByRole("link", { name: /@/ }).getAttribute("href")).toMatch(/^mailto:/);
  expect(screen.getByRole("link", { name: "Go to your orders" })).toBeTruthy();
});

test("an address without a token asks nothing", async () => {
  const { backend } = open({ body: ORDER }, { hash: "" });
  await screen.findByRole("heading", { name: "This link is not valid any more" });
  expect(backend.requestsTo(STATUS)).toEqual([]);
});

test("a failure can be tried again", async () => {
  const { backend, user } = open({ status: 429, body: { error: "Too many attempts.", code: "x" } });
  await screen.findByText("Too many attempts.");
  backend.on(STATUS, { body: ORDER });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("heading", { name: "Order #CDEF12" });
});

test.each([true, false])("the full order is linked for its owner alone: %s", async (mine) => {
  const { backend } = open({ body: ORDER }, { signedIn: true, mine });
  await screen.findByRole("heading", { name: "Order #CDEF12" });
  await waitFor(() => expect(backend.requestsTo(ORDERS)).toHaveLength(1));
  const link = mine && (await screen.findByRole("link", { name: "See the full order" }));
  expect(link ? link.getAttribute("href") : screen.queryByText("See the full order")).toBe(
    mine ? `/order-details/${ORDER.order_id}` : null,
  );
});
