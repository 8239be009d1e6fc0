import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { OrderDetailsPage } from "./order-details-page";

const ORDER = {
  id: "11111111-2222-4333-8444-0000abcdef12",
  total: 39.8,
  status: "paid",
  created_at: "2026-11-05T23:30:00-05:00",
  tracking_url: null,
  tracking_number: null,
  carrier: null,
  shipping_address: JSON.stringify({ first_name: "Ada", city: "London", country: "GB" }),
  printify_order_id: "p1",
  order_items: [
    {
      id: "i1",
      quantity: 2,
      unit_price: "19.90",
      product_name: "A fox",
      product_image_url: null,
      product_size: "M",
      product_color: "Navy",
    },
  ],
};

function open(order: object | null, { signedIn = true, path = `/order-details/${ORDER.id}` } = {}) {
  const backend = new Backend();
  if (signedIn) backend.signedIn();
  backend.on("GET /rest/v1/orders", { body: order ? [order] : [] });
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
  await screen.findByText("Error: Out of ink");
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
