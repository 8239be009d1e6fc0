import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { shirt } from "@/shop/owner-settings";
import { Backend, DESIGN_ID, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { MockupPage } from "./mockup-page";

const VARIANT = { id: "v1", name: "Navy - M", color_hex: "#1F2A44", printify_variant_id: 1 };
const ROW = {
  id: DESIGN_ID,
  name: "A fox on a bicycle",
  image_data: "iVBORw0KGgo=",
  thumbnail_data: null,
  image_url: null,
  printify_product_id: "p1",
  selected_colors: ["v1"],
  user_id: USER.id,
};
const SHARED = {
  id: DESIGN_ID,
  name: "A fox on a bicycle",
  image_data: "iVBORw0KGgo=",
  thumbnail_data: null,
  selected_colors: ["v1"],
  created_at: "2026-11-01T10:00:00+00:00",
  is_public: false,
  published_at: null,
  creator_name: null,
  is_owner: false,
  image_url: null,
};

interface Stage {
  row?: object | null;
  shared?: object | null;
  signedIn?: boolean;
  variant?: object;
}

function open(
  path: string,
  { row = null, shared = null, signedIn = false, variant = {} }: Stage = {},
) {
  const backend = new Backend()
    .on("GET /rest/v1/designs", { body: row ? [row] : [] })
    .on("GET /rest/v1/rpc/get_shared_design", { body: shared ? [shared] : [] })
    .on("GET /rest/v1/product_variants", { body: [{ ...VARIANT, ...variant }] })
    .on("POST /functions/v1/import-design", { body: { success: true, designId: "d2" } });
  if (signedIn) backend.signedIn();
  const router = renderRoutes(
    [
      { path: "/mockup", element: <MockupPage /> },
      { path: "/auth", element: <p>sign in first</p> },
    ],
    path,
  );
  return { backend, router, user: userEvent.setup() };
}

const MOCKUP = `/mockup?design=${DESIGN_ID}`;

test("one's own design can be ordered in its color", async () => {
  open(MOCKUP, { row: ROW, signedIn: true });
  const order = await screen.findByRole("link", { name: "Order Now" });
  expect(order.getAttribute("href")).toBe(`/order?design=${DESIGN_ID}&color=v1`);
  expect(screen.queryByRole("button", { name: "Use This Design" })).toBeNull();
  const adjust = screen.getByRole("link", { name: "Adjust" });
  expect(adjust.getAttribute("href")).toBe(`/adjust?design=${DESIGN_ID}&color=v1`);
  expect(screen.getByText("Ready for order")).toBeTruthy();
  expect(screen.getByAltText(/front view/).getAttribute("src")).toContain("/mockup/p1/1/102048/");
});

test("the back is shown where something is printed on it, by the camera that the printer named", async () => {
  for (const has_back of [true, false]) {
    open(MOCKUP, { row: { ...ROW, has_back }, signedIn: true, variant: { back_view: 92571 } });
    await screen.findByAltText(/front view/);
    const back = screen.queryByRole("button", { name: "Back" });
    expect(back !== null).toBe(has_back);
    if (back) await userEvent.click(back);
    const shown = screen.getByAltText(has_back ? /back view/ : /front view/).getAttribute("src");
    expect(shown).toContain(`/mockup/p1/1/${has_back ? 92571 : 102048}/`);
    cleanup();
  }
});

test("the preview says what the shirt is, and how to measure", async () => {
  open(MOCKUP, { row: ROW, signedIn: true });
  await screen.findByRole("heading", { name: "The Shirt" });
  const facts = ["Material", "Weight", "Fit", "Care", "Models"].map(
    (name) => screen.getByText(name).nextSibling?.textContent,
  );
  expect(facts).toEqual([shirt.material, shirt.weight, shirt.fit, shirt.care, shirt.models]);
  expect(screen.getByRole("heading", { name: "How to measure" })).toBeTruthy();
});

test("the picture is enlarged and turned by keys, and closes where it was opened", async () => {
  const { user } = open(MOCKUP, { row: ROW, signedIn: true });
  const opener = await screen.findByRole("button", { name: "Enlarge the picture" });
  await user.click(opener);
  const dialog = within(await screen.findByRole("dialog", { name: "Navy, Front" }));
  const width = () => dialog.getByRole("img").style.width;
  expect(width()).toBe("100%");
  await user.keyboard("++");
  expect(width()).toBe("225%");
  await user.keyboard("----");
  expect(width()).toBe("100%");
  await user.keyboard("{ArrowLeft}");
  expect(screen.getByRole("dialog", { name: "Navy, Female Model" })).toBeTruthy();
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(dialog.getByRole("img").getAttribute("src")).toContain("/mockup/p1/1/102049/");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement).toBe(opener));
});

test("one's own design that was taken down is not ordered, made or shared", async () => {
  for (const product of ["p1", null]) {
    const row = { ...ROW, printify_product_id: product, takedown_reason: "copyright" };
    open(MOCKUP, { row, signedIn: true });
    expect(await screen.findByText(/^We took this design off the press/)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "Order Now" })).toBeNull();
    for (const name of ["Share", "Processing...", "Retry Processing"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
    expect(screen.queryByText(/Ready for order/)).toBeNull();
    cleanup();
  }
});

test("one's own design without a product is still in the making", async () => {
  open(MOCKUP, { row: { ...ROW, printify_product_id: null }, signedIn: true });
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Processing..." });
  expect(button.disabled).toBe(true);
  expect(screen.getByText(/^Product is being prepared/)).toBeTruthy();
});

test("somebody else's public design shows on the shirt, and is taken instead of ordered", async () => {
  const { router, user } = open(MOCKUP, {
    row: { ...ROW, user_id: "somebody else" },
    signedIn: true,
  });
  await user.click(await screen.findByRole("button", { name: "Use This Design" }));
  expect(screen.queryByRole("link", { name: "Order Now" })).toBeNull();
  await screen.findByText("Design Imported!");
  expect(router.state.location.search).toBe("?design=d2");
});

test("a private design opens by its link, with its picture and without its product", async () => {
  open(MOCKUP, { shared: SHARED, signedIn: true });
  await screen.findByRole("button", { name: "Use This Design" });
  expect(screen.getByAltText("A fox on a bicycle")).toBeTruthy();
  expect(screen.getByText("This is a private design shared via link")).toBeTruthy();
  expect(screen.queryByText("Processing")).toBeNull();
  expect(screen.queryByText(/^Is this your design/)).toBeNull();
});

test("a signed-out visitor may be its owner: there is a way to log in and back", async () => {
  const { router, user } = open(MOCKUP, { shared: SHARED });
  const login = await screen.findByRole("link", { name: "Log In" });
  expect(login.getAttribute("href")).toBe(`/auth?redirect=${encodeURIComponent(MOCKUP)}`);
  await user.click(screen.getByRole("button", { name: "Use This Design" }));
  await screen.findByText("sign in first");
  expect(router.state.location.search).toBe(
    `?redirect=${encodeURIComponent(`/design/${DESIGN_ID}?import=true`)}`,
  );
});

test.each([
  ["/mockup", "No design ID provided"],
  ["/mockup?design=latest", "Design not found"],
])("%s is answered without a request for a design", async (path, sentence) => {
  const { backend } = open(path);
  await screen.findByRole("heading", { name: "Design Not Found" });
  expect(screen.getByText(sentence)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to Dashboard" })).toBeTruthy();
  expect(backend.requestsTo("GET /rest/v1/designs")).toEqual([]);
  expect(backend.requestsTo("GET /rest/v1/rpc/get_shared_design")).toEqual([]);
});

test("a design that is nowhere is not found", async () => {
  open(MOCKUP);
  await screen.findByText("Design not found");
});

test("a design that could not be read is not called missing, and can be tried again", async () => {
  const { backend, user } = open(MOCKUP);
  backend.on("GET /rest/v1/designs", { status: 400, body: { code: "x", message: "Out of ink" } });
  await screen.findByText("Something went wrong on our side. Please try again.");
  expect(screen.queryByText("Design Not Found")).toBeNull();
  backend.on("GET /rest/v1/designs", { body: [ROW] });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("heading", { name: "Preview Your Creation" });
});

const JOB = {
  id: "33333333-3333-4333-8333-333333333333",
  kind: "print_product",
  state: "running",
  request: {},
  result: null,
  seed: 7,
  result_path: null,
  error: null,
  error_code: null,
  created_at: "2026-11-01T10:00:00+00:00",
};
const JOBS = "GET /rest/v1/design_jobs";

test("a print product that is being made is found by itself, without a second try", async () => {
  const unfinished = { ...ROW, printify_product_id: null };
  const { backend } = open(MOCKUP, { row: unfinished, signedIn: true });
  backend.on(JOBS, { body: [JOB] });
  expect(await screen.findByText("Processing")).toBeTruthy();
  await waitFor(() => expect(backend.requestsTo(JOBS).length).toBeGreaterThan(0));
  expect(screen.queryByRole("button", { name: "Retry Processing" })).toBeNull();

  backend
    .on(JOBS, { body: [{ ...JOB, state: "done", result: { warnings: [] } }] })
    .on("GET /rest/v1/designs", { body: [ROW] });
  const order = await screen.findByRole("link", { name: "Order Now" });
  expect(order).toBeTruthy();
}, 10_000);

test("a print product that failed can be tried again", async () => {
  const unfinished = { ...ROW, printify_product_id: null };
  const { backend } = open(MOCKUP, { row: unfinished, signedIn: true });
  backend.on(JOBS, { body: [{ ...JOB, state: "failed", error: "Our printer is busy." }] });
  expect(await screen.findByRole("button", { name: "Retry Processing" })).toBeTruthy();
});
