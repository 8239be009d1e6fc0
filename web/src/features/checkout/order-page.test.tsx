import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { Backend, DESIGN_ID, type Handler, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { OrderPage } from "./order-page";

const DESIGN = {
  id: DESIGN_ID,
  name: "A fox",
  image_data: null,
  thumbnail_data: null,
  image_url: null,
  printify_product_id: "p1",
  selected_colors: ["v2"],
  user_id: USER.id,
};
const VARIANTS = [
  { id: "v1", name: "Black - L", color_hex: "#1A1A1A", printify_variant_id: 1 },
  { id: "v2", name: "Black - M", color_hex: "#1A1A1A", printify_variant_id: 2 },
  { id: "v3", name: "White - M", color_hex: "#FFFFFF", printify_variant_id: 3 },
];

/** Enough of Stripe.js for its React bindings to mount a card field that stays empty. */
function fakeStripe() {
  const element = {
    mount() {},
    destroy() {},
    update() {},
    on: () => element,
    off: () => element,
    once: () => element,
  };
  const elements = { create: () => element, getElement: () => null, update() {} };
  const stripe = {
    version: "endive",
    elements: () => elements,
    createToken() {},
    createPaymentMethod() {},
    confirmCardPayment() {},
    registerAppInfo() {},
    _registerWrapper() {},
  };
  return Object.assign(() => stripe, { version: "endive" });
}

beforeEach(() => {
  vi.stubGlobal("Stripe", fakeStripe());
});

function open(search: string, design: object | null = DESIGN, failure?: Handler) {
  const backend = new Backend()
    .signedIn()
    .on("GET /rest/v1/designs", failure ?? { body: design ? [design] : [] })
    .on("GET /rest/v1/product_variants", { body: VARIANTS })
    .on("GET /rest/v1/user_addresses", { body: [] });
  renderRoutes([{ path: "/order", element: <SignedIn page={<OrderPage />} /> }], `/order${search}`);
  return { backend, user: userEvent.setup() };
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
  // The client tries several times, with pauses between.
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  await screen.findByRole("heading", { name: "This didn't load" });
  screen.getByText("We couldn't reach the shop. Check your connection and try again.");
  expect(screen.queryByText("Please select a design to place an order.")).toBeNull();
  backend.on("GET /rest/v1/designs", { body: [DESIGN] });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("Selected Color: Black");
});

test("a catalogue that did not load is no missing color", async () => {
  const { backend, user } = open(`?design=${DESIGN_ID}`);
  backend.on("GET /rest/v1/product_variants", { status: 400, body: { code: "x", message: "No" } });
  await screen.findByRole("heading", { name: "This didn't load" });
  backend.on("GET /rest/v1/product_variants", { body: VARIANTS });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByText("Selected Color: Black");
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
