import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { UUID } from "@/lib/text/is-uuid";
import { Backend, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { AiGeneratorPage } from "./ai-generator-page";

const VARIANTS = [
  { id: "v1", name: "Black - L", color_hex: "#1A1A1A", printify_variant_id: 1 },
  { id: "v2", name: "Black - M", color_hex: "#1A1A1A", printify_variant_id: 2 },
  { id: "v3", name: "White - M", color_hex: null, printify_variant_id: 3 },
];

afterEach(() => vi.useRealTimers());

const PICTURE = `POST /storage/v1/object/designs/${USER.id}/d1/picture.png`;

function open() {
  const backend = new Backend()
    .signedIn()
    .on("GET /rest/v1/product_variants", { body: VARIANTS })
    .on("POST /rest/v1/design_uploads", { status: 201, body: { id: "d1" } })
    .on(PICTURE, { body: {} })
    .on("GET /rest/v1/designs", { body: [] });
  const router = renderRoutes(
    [
      { path: "/design/ai-generator", element: <SignedIn page={<AiGeneratorPage />} /> },
      { path: "/mockup", element: <p>mockup page</p> },
    ],
    "/design/ai-generator",
  );
  return { backend, router, user: userEvent.setup() };
}

async function describeIdea(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole("button", { name: "Black" }));
  await user.click(screen.getByRole("button", { name: "Cartoon" }));
  await user.type(screen.getByLabelText("Your idea"), "A fox");
  await user.click(screen.getByRole("button", { name: "Next: Generate Image" }));
}

test("an idea is drawn, saved with its colour, made printable and shown on the mockup page", async () => {
  const { backend, router, user } = open();
  backend
    .on("POST /functions/v1/generate-design-image", { body: { image: "iVBORw0KGgo=" } })
    .on("POST /rest/v1/designs", { status: 201 })
    .on("POST /functions/v1/create-printify-product", {
      body: { success: true, printifyProductId: "p1" },
    });
  await describeIdea(user);
  await user.click(await screen.findByRole("button", { name: "Save and Create Product" }));
  await screen.findByText("mockup page");

  expect(router.state.location.search).toBe("?design=d1");
  expect(backend.requestsTo("POST /functions/v1/generate-design-image")[0]?.body).toEqual({
    prompt: "A fox",
    style: "Cartoon",
    mood: "colorful",
    background_color_name: "Black",
    background_color_hex: "#1A1A1A",
    has_typography: false,
    job_id: expect.stringMatching(UUID),
  });
  // jsdom has no canvas: a design without a thumbnail is saved all the same
  expect(backend.requests.filter(({ path }) => path.startsWith("/storage/"))).toHaveLength(1);
  expect(backend.requestsTo("POST /rest/v1/designs")[0]?.body).toEqual({
    user_id: USER.id,
    name: "A fox",
    image_url: `${USER.id}/d1/picture.png`,
    selected_colors: ["v1"],
    style: "Cartoon",
  });
  expect(backend.requestsTo("POST /functions/v1/create-printify-product")[0]?.body).toEqual({
    designId: "d1",
    imageBase64: "",
    selectedColors: ["v1"],
    job_id: expect.stringMatching(UUID),
  });
  expect(await screen.findByText("Design Saved!")).toBeTruthy();
});

test("what a shopper should know about the print is told when the design is saved", async () => {
  const { backend, user } = open();
  const warning = "This design has no transparent background, so it prints as a rectangle.";
  backend
    .on("POST /functions/v1/generate-design-image", { body: { image: "iVBORw0KGgo=" } })
    .on("POST /rest/v1/designs", { status: 201 })
    .on("POST /functions/v1/create-printify-product", {
      body: { success: true, printifyProductId: "p1", printDpi: 300, warnings: [warning] },
    });
  await describeIdea(user);
  await user.click(await screen.findByRole("button", { name: "Save and Create Product" }));
  await screen.findByText("mockup page");
  expect(await screen.findByText("About this print")).toBeTruthy();
  expect(screen.getByText(warning)).toBeTruthy();
});

test("a failed drawing says why, can be tried again, and leads back to the filled-in form", async () => {
  const { backend, user } = open();
  backend.on("POST /functions/v1/generate-design-image", {
    status: 503,
    body: { error: "The artist is busy.", code: "artist_busy" },
  });
  await describeIdea(user);
  await screen.findByRole("heading", { name: "Generation Failed" });
  expect(await screen.findByText("AI Generator Error")).toBeTruthy();

  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await waitFor(() =>
    expect(backend.requestsTo("POST /functions/v1/generate-design-image")).toHaveLength(2),
  );
  await user.click(await screen.findByRole("button", { name: "Back to Form" }));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your idea").value).toBe("A fox");
});

test("at a limit the panel says when it is open again, and the button waits until then", async () => {
  vi.useFakeTimers({
    toFake: ["Date", "setInterval", "clearInterval"],
    now: new Date(2026, 10, 22, 14, 0),
  });
  const { backend, user } = open();
  backend.on("POST /functions/v1/generate-design-image", {
    status: 429,
    body: {
      error: "You've reached our limit for new designs: 30 an hour for one person.",
      code: "usage_limit",
      retry_at: new Date(2026, 10, 22, 14, 20).toISOString(),
    },
  });
  await describeIdea(user);
  const panel = (await screen.findByRole("heading", { name: "Generation Failed" })).parentElement;
  expect(panel?.textContent?.replace(/\s/g, " ")).toContain(
    "You've reached our limit for new designs: 30 an hour for one person. You can try again at 2:20 PM.",
  );
  const retry = screen.getByRole<HTMLButtonElement>("button", { name: "Try Again" });
  expect(retry.disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Back to Form" }).disabled).toBe(
    false,
  );

  act(() => void vi.advanceTimersByTime(20 * 60_000));
  expect(retry.disabled).toBe(false);
  backend.on("POST /functions/v1/generate-design-image", { body: { image: "iVBORw0KGgo=" } });
  await user.click(retry);
  expect(await screen.findByRole("button", { name: "Save and Create Product" })).toBeTruthy();
});

test("the wizard is left as soon as the design is saved; that its product fails is told where one is", async () => {
  const { backend, user } = open();
  let fail: () => void = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  backend
    .on("POST /functions/v1/generate-design-image", { body: { image: "iVBORw0KGgo=" } })
    .on("POST /rest/v1/designs", { status: 201 })
    .on("POST /functions/v1/create-printify-product", () =>
      failed.then(() => ({ status: 502, body: { error: "no", code: "printer_down" } })),
    );
  await describeIdea(user);
  await user.click(await screen.findByRole("button", { name: "Save and Create Product" }));
  await screen.findByText("mockup page");
  expect(await screen.findByText("Your design has been saved successfully!")).toBeTruthy();
  const problem = "There was an issue processing your design. You can retry later.";
  expect(screen.queryByText(problem)).toBeNull();
  fail();
  expect(await screen.findByText(problem)).toBeTruthy();
});

test("a design that cannot be stored stays on the page with the reason", async () => {
  const { backend, user } = open();
  backend
    .on("POST /functions/v1/generate-design-image", { body: { image: "iVBORw0KGgo=" } })
    .on("POST /rest/v1/designs", {
      status: 400,
      body: { message: "The picture is too large.", code: "23514" },
    });
  await describeIdea(user);
  await user.click(await screen.findByRole("button", { name: "Save and Create Product" }));
  expect(await screen.findByText("Save Error")).toBeTruthy();
  expect(screen.getByText("The picture is too large.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Save and Create Product" })).toBeTruthy();
});

const SAVE = "Save and Create Product";

async function drawn() {
  const page = open();
  page.backend
    .on("POST /functions/v1/generate-design-image", { body: { image: "iVBORw0KGgo=" } })
    .on("POST /rest/v1/designs", { status: 201 })
    .on("POST /functions/v1/create-printify-product", {
      body: { success: true, printifyProductId: "p1" },
    });
  await describeIdea(page.user);
  await screen.findByRole("button", { name: SAVE });
  return page;
}

test("an upload that broke off is gone on with, and no second one is begun", async () => {
  const { backend, user } = await drawn();
  backend.on(PICTURE, () => {
    throw new Error("cut off");
  });
  await user.click(screen.getByRole("button", { name: SAVE }));
  const away = "We couldn't reach the shop. Check your connection and try again.";
  expect(await screen.findByText(away)).toBeTruthy();

  // the picture had arrived, only the answer had not
  backend.on(PICTURE, {
    status: 400,
    body: { statusCode: "409", error: "Duplicate", message: "The resource already exists" },
  });
  await user.click(screen.getByRole("button", { name: SAVE }));
  await screen.findByText("mockup page");
  expect(backend.requestsTo("POST /rest/v1/design_uploads")).toHaveLength(1);
  expect(backend.requestsTo("POST /rest/v1/designs")).toHaveLength(1);
});

test("a design that is there although its answer was lost is not saved again", async () => {
  const { backend, router, user } = await drawn();
  backend
    .on("POST /rest/v1/designs", {
      status: 403,
      body: { message: "There is no upload of yours with this picture", code: "42501" },
    })
    .on("GET /rest/v1/designs", { body: [{ id: "d1" }] });
  await user.click(screen.getByRole("button", { name: SAVE }));
  await screen.findByText("mockup page");
  expect(router.state.location.search).toBe("?design=d1");
});

test("a picture that Storage refuses is not saved, and the next try begins anew", async () => {
  const { backend, user } = await drawn();
  const refused = { status: 400, body: { error: "Payload too large", message: "It is too large" } };
  backend.on(PICTURE, refused);
  await user.click(screen.getByRole("button", { name: SAVE }));
  expect(await screen.findByText("That is too large to be sent.")).toBeTruthy();
  expect(backend.requestsTo("POST /rest/v1/designs")).toEqual([]);
  await user.click(await screen.findByRole("button", { name: SAVE }));
  await waitFor(() => expect(backend.requestsTo("POST /rest/v1/design_uploads")).toHaveLength(2));
});

test("a long upload shows how far it is", async () => {
  const { backend, user } = await drawn();
  let arrive: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  backend.on(PICTURE, () => arrived.then(() => ({ body: {} })));
  await user.click(screen.getByRole("button", { name: SAVE }));
  const bar = await screen.findByRole<HTMLProgressElement>("progressbar", { name: "Saving..." });
  expect(bar.value).toBe(0.5);
  arrive();
  await screen.findByText("mockup page");
});

test("without idea and colour nothing is asked of the artist", async () => {
  const { backend, user } = open();
  await screen.findByRole("button", { name: "Black" });
  await user.click(screen.getByRole("button", { name: "Next: Generate Image" }));
  await screen.findByText("Choose a t-shirt color.");
  expect(screen.getByLabelText("Your idea").getAttribute("aria-invalid")).toBe("true");
  expect(backend.requestsTo("POST /functions/v1/generate-design-image")).toEqual([]);
});
