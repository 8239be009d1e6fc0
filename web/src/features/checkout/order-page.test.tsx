import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { Backend, DESIGN_ID, type Handler } from "@/testing/backend";
import { DESIGN, fillOrder } from "@/testing/order";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { fakeStripe } from "@/testing/stripe";
import { OrderPage } from "./order-page";

const VARIANTS = [
  { id: "v1", name: "Black - L", color_hex: "#1A1A1A", printify_variant_id: 1 },
  { id: "v2", name: "Black - M", color_hex: "#1A1A1A", printify_variant_id: 2 },
  { id: "v3", name: "White - M", color_hex: "#FFFFFF", printify_variant_id: 3 },
];

beforeEach(() => {
  vi.stubGlobal("Stripe", fakeStripe.script);
});

function open(search: string, design: object | null = DESIGN, failure?: Handler) {
  const backend = new Backend()
    .signedIn()
    .on("GET /rest/v1/designs", failure ?? { body: design ? [design] : [] })
    .on("GET /rest/v1/product_variants", { body: VARIANTS })
    .on("GET /rest/v1/user_addresses", { body: [] });
  const router = renderRoutes(
    [
      { path: "/order", element: <SignedIn page={<OrderPage />} /> },
      { path: "/mockup", element: <p>the preview</p> },
      { path: "/order-details/:id", element: <p>the order's own page</p> },
    ],
    `/order${search}`,
  );
  return { backend, router, user: userEvent.setup() };
}

test("without a design it asks for one", async () => {
  open("");
  await screen.findByRole("heading", { name: "Design Not Found" });
  expect(screen.getByText("Please select a design to place an order.")).toBeTruthy();
});

test("an id that is none asks for a design, without a request", async () => {
  const { backend } = open("?design=latest");
  await screen.findByText("Please select a design to place an order.");
  expect(backend.requestsTo("GET /rest/v1/designs")).toEqual([]);
});

test("a design that is gone asks for another one", async () => {
  open(`?design=${DESIGN_ID}`, null);
  await screen.findByText("Please select a design to place an order.");
});

test.each([
  ["no answer", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["an answer of 503", () => ({ status: 503, body: { message: "<html>busy</html>" } })],
])("%s is no missing design: it can be tried again", async (_, failure) => {
  vi.useFakeTimers();
  const { backend, user } = open(`?design=${DESIGN_ID}`, DESIGN, failure);
  // It is tried once more, after a pause.
  await vi.advanceTimersByTimeAsync(4000);
  vi.useRealTimers();
  await screen.findByRole("heading", { name: "This didn't load" });
  screen.getByText("We couldn't reach the shop. Check your connection and try again.");
  expect(screen.queryByText("Please select a design to place an order.")).toBeNull();
  backend.on("GET /rest/v1/designs", { body: [DESIGN] });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("Selected Color: Black");
});

test("a catalog that did not load is no missing color", async () => {
  const { backend, user } = open(`?design=${DESIGN_ID}`);
  backend.on("GET /rest/v1/product_variants", { status: 400, body: { code: "x", message: "No" } });
  await screen.findByRole("heading", { name: "This didn't load" });
  backend.on("GET /rest/v1/product_variants", { body: VARIANTS });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("Selected Color: Black");
});

test("a design that the printer does not have yet waits on its preview, in the same color", async () => {
  const { router } = open(`?design=${DESIGN_ID}&color=v3`, {
    ...DESIGN,
    printify_product_id: null,
  });
  await screen.findByText("the preview");
  expect(router.state.location.search).toBe(`?design=${DESIGN_ID}&color=v3`);
});

test("without a color it leads back to the mockup page", async () => {
  open(`?design=${DESIGN_ID}&color=gone`);
  await screen.findByRole("heading", { name: "Color Not Selected" });
  expect(screen.getByText("Please select a color from the mockup page.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Choose a Color" }).getAttribute("href")).toBe(
    `/mockup?design=${DESIGN_ID}`,
  );
});

test("somebody else's design is not ordered but copied first", async () => {
  open(`?design=${DESIGN_ID}`, { ...DESIGN, user_id: "somebody else" });
  await screen.findByRole("heading", { name: "Make It Yours First" });
});

test("the color is the design's first one, with its sizes in order and the names filled in", async () => {
  open(`?design=${DESIGN_ID}`);
  await screen.findByText("Selected Color: Black");
  const sizes = screen.getAllByRole("status").map((output) => output.getAttribute("aria-label"));
  expect(sizes).toEqual(["M quantity", "L quantity"]);
  expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Ada");
  expect(screen.getByLabelText<HTMLInputElement>("Last name").value).toBe("Lovelace");
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@teesmith.example");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Pay/ }).disabled).toBe(true);
});

test("sizes are clamped to ten, and the price follows quantity and country", async () => {
  const { user } = open(`?design=${DESIGN_ID}`);
  const more = await screen.findByRole<HTMLButtonElement>("button", {
    name: "Increase M quantity",
  });
  for (let count = 0; count < 10; count++) await user.click(more);
  expect(more.disabled).toBe(true);
  const price = () => screen.getByLabelText("Price").textContent;
  expect(price()).toContain("$199.00");
  expect(price()).toContain("Free");

  await user.selectOptions(screen.getByLabelText("Country"), "DE");
  expect(price()).toContain("$5.90");
  expect(price()).toContain("$204.90");
  expect(screen.getByLabelText<HTMLSelectElement>("Phone code").value).toBe("+49");
});

test("a ZIP code fills in city and state", async () => {
  const { backend, user } = open(`?design=${DESIGN_ID}`);
  backend.on("POST /functions/v1/lookup-zip-code", {
    body: { city: "Beverly Hills", state: "CA" },
  });
  await user.type(await screen.findByLabelText("ZIP code"), "90210");
  expect(await screen.findByText("City and state updated for ZIP code 90210")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("City").value).toBe("Beverly Hills");
  expect(screen.getByLabelText<HTMLInputElement>("State").value).toBe("CA");
});

test.each([
  [
    { status: 200, body: { error: "ZIP code not found" } },
    "The entered ZIP code could not be found",
  ],
  [{ status: 200, body: { error: "Try later" } }, "Try later"],
  [{ status: 500, body: { error: "down", code: "x" } }, "Failed to lookup ZIP code information."],
])("a look-up that fails says how", async (response, sentence) => {
  const { backend, user } = open(`?design=${DESIGN_ID}`);
  backend.on("POST /functions/v1/lookup-zip-code", response);
  await user.type(await screen.findByLabelText("ZIP code"), "99999");
  expect(await screen.findByText(sentence)).toBeTruthy();
});

const AMAZING = { name: /Amazing! Your unique design is printing!/ };
const ORDER_ID = "33333333-3333-4333-8333-333333333333";
const PAID = {
  id: ORDER_ID,
  total: "25.80",
  status: "processing",
  paid_at: "2026-11-05T23:31:00Z",
  created_at: "2026-11-05T23:30:00Z",
  tracking_url: null,
  tracking_number: null,
  carrier: null,
  printify_order_id: "p1",
  shipping_address: JSON.stringify({ first_name: "Ada", city: "London", country: "GB" }),
  order_items: [
    {
      id: "i1",
      printify_variant_id: 2,
      quantity: 3,
      unit_price: "19.90",
      product_name: "A fox",
      product_image_url: null,
      product_size: "M",
      product_color: "Black",
    },
  ],
};

/** A filled form, up to the press of the button; `answer` is what Stripe says then. */
async function pay(answer: object) {
  fakeStripe.answers(answer);
  const { backend, router, user } = open(`?design=${DESIGN_ID}`);
  for (const slug of ["update-order-status", "create-printify-order", "send-order-webhook"])
    backend.on(`POST /functions/v1/${slug}`, { body: { success: true } });
  backend
    .on("POST /functions/v1/create-payment-intent", {
      body: { client_secret: "pi_1_secret_1", order_id: ORDER_ID },
    })
    .on("POST /rest/v1/user_addresses", { status: 201 });
  await fillOrder(user);
  fakeStripe.complete();
  await user.click(screen.getByRole("button", { name: "Pay $25.80" }));
  return { backend, router, user };
}

test("a declined card is told at the card until it is changed", async () => {
  await pay({ error: { message: "Your card was declined." } });
  await screen.findByText("Payment Failed");
  const alert = () => screen.queryByRole("alert")?.textContent ?? "";
  expect(alert()).toBe("Your card was declined.");
  fakeStripe.complete();
  await waitFor(() => expect(alert()).toBe(""));
}, 20_000);

test("the confirmation has the form's place in the history, and keeps nothing of the order", async () => {
  const { router } = await pay({ paymentIntent: { status: "succeeded" } });
  await screen.findByRole("heading", AMAZING);
  expect(router.state.location.search).toBe(`?design=${DESIGN_ID}&paid=${ORDER_ID}`);
  expect(router.state.historyAction).toBe("REPLACE");
  expect(screen.getByText("Black - M")).toBeTruthy();
  expect(Object.keys(localStorage).filter((key) => key.includes("draft"))).toEqual([]);
}, 20_000);

test("a reload after paying shows the confirmation again", async () => {
  const { backend } = open(`?design=${DESIGN_ID}&paid=${ORDER_ID}`);
  backend.on("GET /rest/v1/orders", { body: [PAID] });
  await screen.findByRole("heading", AMAZING);
  expect(screen.getByText("Black - M")).toBeTruthy();
  expect(screen.getByText("Quantity: 3")).toBeTruthy();
  expect(screen.getByText("$25.80")).toBeTruthy();
});

test.each([
  ["not paid", { ...PAID, status: "pending", paid_at: null }],
  ["cancelled", { ...PAID, status: "cancelled" }],
])("an order that is %s is not confirmed", async (_, order) => {
  const { backend } = open(`?design=${DESIGN_ID}&paid=${ORDER_ID}`);
  backend.on("GET /rest/v1/orders", { body: [order] });
  await screen.findByText("the order's own page");
});

test("a field's error goes as soon as the field is mended", async () => {
  const { user } = open(`?design=${DESIGN_ID}`);
  await user.click(await screen.findByRole("button", { name: "Increase M quantity" }));
  fakeStripe.complete();
  await user.click(screen.getByRole("button", { name: "Pay $19.90" }));
  const field = screen.getByLabelText("Address");
  await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
  await user.type(field, "2");
  expect(field.getAttribute("aria-invalid")).toBeNull();
});

test("a field's error stays while what is typed is still wrong", async () => {
  const { user } = open(`?design=${DESIGN_ID}`);
  await user.click(await screen.findByRole("button", { name: "Increase M quantity" }));
  fakeStripe.complete();
  const email = screen.getByLabelText("Email");
  await user.clear(email);
  await user.click(screen.getByRole("button", { name: "Pay $19.90" }));
  await waitFor(() => expect(email.getAttribute("aria-invalid")).toBe("true"));
  await user.type(email, "vera@b");
  expect(email.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("This doesn't look like an email address.")).toBeTruthy();
  await user.type(email, ".de");
  expect(email.getAttribute("aria-invalid")).toBeNull();
});
