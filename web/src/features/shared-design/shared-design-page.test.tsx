import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, DESIGN_ID } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SharedDesignPage } from "./shared-design-page";

const DESIGN = {
  id: DESIGN_ID,
  name: "A fox on a bicycle",
  selected_colors: ["v1"],
  created_at: "2026-11-01T10:00:00+00:00",
  is_public: false,
  published_at: null,
  creator_name: null,
  is_owner: false,
  image_url: null,
};
const PUBLISHED = {
  is_public: true,
  published_at: "2026-11-05T10:00:00+00:00",
  creator_name: "Inky",
};
const VARIANTS = [
  { id: "v1", name: "Black - M", color_hex: "#000000", printify_variant_id: 12125 },
  { id: "v2", name: "Red - L", color_hex: "#C8102E", printify_variant_id: 12022 },
];
const CREATOR = "33333333-3333-4333-8333-333333333333";
const ORDER = `/design/${DESIGN_ID}?import=true&order=true&color=v2`;

function open(path: string, changes: { design?: object; signedIn?: boolean } = {}) {
  const backend = new Backend()
    .on("GET /rest/v1/rpc/get_shared_design", { body: { ...DESIGN, ...changes.design } })
    .on("GET /rest/v1/designs", { body: [{ printify_product_id: "p1" }] })
    .on("GET /rest/v1/public_designs", { body: [{ like_count: 3, user_id: CREATOR }] })
    .on("GET /rest/v1/product_variants", { body: VARIANTS })
    .on("GET /rest/v1/rpc/related_designs", { body: [] })
    .on("GET /rest/v1/design_likes", { body: [] })
    .on("POST /functions/v1/import-design", { body: { success: true, designId: "d2" } });
  if (changes.signedIn) backend.signedIn();
  const router = renderRoutes(
    [
      { path: "/design/:designId", element: <SharedDesignPage /> },
      { path: "/auth", element: <p>sign in first</p> },
      { path: "/mockup", element: <p>mockup page</p> },
      { path: "/order", element: <p>order page</p> },
    ],
    path,
  );
  return { backend, router, user: userEvent.setup() };
}

test("a public design names its creator and the day it was published", async () => {
  open(`/design/${DESIGN_ID}`, { design: PUBLISHED });
  await screen.findByRole("heading", { name: "A fox on a bicycle" });
  expect(screen.getByText(/Nov 5, 2026/).textContent).toBe("by Inky, Nov 5, 2026");
  expect(screen.getByRole("link", { name: "Inky" }).getAttribute("href")).toBe(
    `/creator/${CREATOR}`,
  );
  expect(screen.queryByText("This is a private design shared via link")).toBeNull();
});

test("a public design is shown on the shirt", async () => {
  open(`/design/${DESIGN_ID}`, { design: PUBLISHED });
  await waitFor(() =>
    expect(screen.getByRole("img", { name: DESIGN.name }).getAttribute("src")).toContain(
      "/mockup/p1/12125/102048",
    ),
  );
});

test("a private one is shown by its link as the picture alone, and says that it is private", async () => {
  const { backend } = open(`/design/${DESIGN_ID}`);
  expect(await screen.findByText("This is a private design shared via link")).toBeTruthy();
  expect(screen.getByRole("img", { name: DESIGN.name }).getAttribute("src")).toContain(
    `/rest/v1/rpc/design_picture?design=${DESIGN_ID}&apikey=`,
  );
  expect(backend.requestsTo("GET /rest/v1/designs")).toEqual([]);
});

test("a picture in Storage is shown by the address that Storage signs for the link's holder", async () => {
  const name = "u/d/picture.png";
  const { backend } = open(`/design/${DESIGN_ID}`, { design: { image_url: name } });
  const signed = `/object/sign/designs/${name}`;
  backend.on(`POST /storage/v1${signed}`, { body: { signedURL: `${signed}?token=t` } });
  const picture = await screen.findByRole("img", { name: DESIGN.name });
  expect(picture.getAttribute("src")).toContain(`/storage/v1${signed}?token=t`);
});

test("its owner sees a private design on the shirt", async () => {
  open(`/design/${DESIGN_ID}`, { design: { is_owner: true }, signedIn: true });
  await waitFor(() =>
    expect(screen.getByRole("img", { name: DESIGN.name }).getAttribute("src")).toContain(
      "/mockup/p1/12125/102048",
    ),
  );
});

test("only the owner of a private design is told who can still see it", async () => {
  const note = "Anyone with the link can still see it.";
  open(`/design/${DESIGN_ID}`);
  await screen.findByText("This is a private design shared via link");
  expect(screen.queryByText(note)).toBeNull();
  cleanup();
  open(`/design/${DESIGN_ID}`, { design: { is_owner: true }, signedIn: true });
  expect(await screen.findByText(note)).toBeTruthy();
});

test("a design that was taken down offers its owner neither shirt nor link, and says why", async () => {
  const { backend } = open(`/design/${DESIGN_ID}?import=true`, {
    design: { is_owner: true },
    signedIn: true,
  });
  backend.on("GET /rest/v1/designs", {
    body: [{ printify_product_id: "p1", link_key: null, takedown_reason: "hate" }],
  });
  expect(await screen.findByText("Taken down")).toBeTruthy();
  expect(screen.getByText(/^Only you can see it\. We have written to you why/)).toBeTruthy();
  for (const name of ["Order this shirt", "Use This Design", "Share", "Make a new link"]) {
    expect(screen.queryByRole("button", { name })).toBeNull();
  }
  expect(screen.queryByText(/private design|still see it|\$/)).toBeNull();
  expect(backend.requestsTo("POST /functions/v1/import-design")).toEqual([]);
});

test("a design that is gone leads back to Discover", async () => {
  const { backend } = open(`/design/${DESIGN_ID}`);
  backend.on("GET /rest/v1/rpc/get_shared_design", { body: null });
  expect(
    await screen.findByText("This design might have been removed or made private."),
  ).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to Discover" })).toBeTruthy();
});

test("an id that is none is not found, without a request", async () => {
  const { backend } = open("/design/latest");
  await screen.findByText("This design might have been removed or made private.");
  expect(backend.requests).toEqual([]);
});

test("a design that could not be read is not called missing, and can be tried again", async () => {
  const { backend, user } = open(`/design/${DESIGN_ID}`);
  const working = { body: [DESIGN] };
  backend.on("GET /rest/v1/rpc/get_shared_design", {
    status: 400,
    body: { code: "x", message: "" },
  });
  await screen.findByText("Something went wrong on our side. Please try again.");
  expect(screen.queryByText("Design Not Found")).toBeNull();
  backend.on("GET /rest/v1/rpc/get_shared_design", working);
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("heading", { name: "A fox on a bicycle" });
});

test("an anonymous visitor signs in first, and comes back to import", async () => {
  const { backend, router, user } = open(`/design/${DESIGN_ID}`);
  await user.click(await screen.findByRole("button", { name: "Use This Design" }));
  await screen.findByText("sign in first");
  expect(router.state.location.search).toBe(`?redirect=%2Fdesign%2F${DESIGN_ID}%3Fimport%3Dtrue`);
  expect(backend.requestsTo("POST /functions/v1/import-design")).toEqual([]);
});

test("coming back with import=true imports once and goes to the mockup", async () => {
  const { backend, router } = open(`/design/${DESIGN_ID}?import=true`, { signedIn: true });
  await screen.findByText("mockup page");
  expect(router.state.location.search).toBe("?design=d2");
  await waitFor(() =>
    expect(backend.requestsTo("POST /functions/v1/import-design")).toHaveLength(1),
  );
  expect(backend.requestsTo("POST /functions/v1/import-design")[0]?.body).toEqual({
    originalDesignId: DESIGN_ID,
  });
});

test("a like of the shared page shows at once", async () => {
  const { backend, user } = open(`/design/${DESIGN_ID}`, { design: PUBLISHED, signedIn: true });
  backend.on("POST /rest/v1/design_likes", { status: 201 });
  await user.click(await screen.findByRole("button", { name: `Like: ${DESIGN.name}, 3 likes` }));
  const liked = await screen.findByRole("button", { name: `Like: ${DESIGN.name}, 4 likes` });
  expect(liked.getAttribute("aria-pressed")).toBe("true");
});

test("another color is drawn with the same picture, and shows the sizes that there are of it", async () => {
  const { user } = open(`/design/${DESIGN_ID}`, { design: PUBLISHED });
  await user.click(await screen.findByRole("button", { name: "Red" }));
  const shirt = screen.getByRole("img", { name: `${DESIGN.name} on a Red t-shirt` });
  const addresses = [...document.querySelectorAll("img")].map((each) => each.getAttribute("src"));
  expect(new Set(addresses).size).toBe(1);
  expect(shirt.querySelector("img")?.getAttribute("src")).toContain("/rpc/design_picture?");
  expect(screen.getByRole("region", { name: "Sizes" }).textContent).toContain("Unisex L");
});

test("whoever orders signs in first, and comes back to the order in that color", async () => {
  const { router, user } = open(`/design/${DESIGN_ID}`, { design: PUBLISHED });
  await user.click(await screen.findByRole("button", { name: "Red" }));
  await user.click(screen.getByRole("button", { name: "Order this shirt" }));
  await screen.findByText("sign in first");
  expect(new URLSearchParams(router.state.location.search).get("redirect")).toBe(ORDER);
});

test("coming back with order=true goes on to the order, with the copy that is there", async () => {
  const { backend, router } = open(ORDER, { design: PUBLISHED, signedIn: true });
  backend.on("POST /functions/v1/import-design", {
    body: { success: true, designId: "d9", isNew: false },
  });
  await screen.findByText("order page");
  expect(router.state.location.search).toBe("?design=d9&color=v2");
  const calls = backend.requestsTo("POST /functions/v1/import-design");
  expect(calls.map((call) => call.body)).toEqual([{ originalDesignId: DESIGN_ID, reuse: true }]);
  expect(screen.queryByText("Design Imported!")).toBeNull();
});

test("a link with a key passes it on: to the design, its picture, signing in and the copied link", async () => {
  const { backend, router, user } = open(`/design/${DESIGN_ID}?key=k1`);
  expect((await screen.findByRole("img", { name: DESIGN.name })).getAttribute("src")).toContain(
    `/rest/v1/rpc/design_picture?design=${DESIGN_ID}&apikey=`,
  );
  expect(screen.getByRole("img", { name: DESIGN.name }).getAttribute("src")).toContain("&key=k1");
  const [asked] = backend.requestsTo("GET /rest/v1/rpc/get_shared_design");
  expect(asked?.query.get("key")).toBe("k1");
  await user.click(screen.getByRole("button", { name: "Use This Design" }));
  await screen.findByText("sign in first");
  expect(new URLSearchParams(router.state.location.search).get("redirect")).toBe(
    `/design/${DESIGN_ID}?import=true&key=k1`,
  );
});

test("coming back with a key imports with it", async () => {
  const { backend } = open(`/design/${DESIGN_ID}?import=true&key=k1`, { signedIn: true });
  await screen.findByText("mockup page");
  expect(backend.requestsTo("POST /functions/v1/import-design")[0]?.body).toEqual({
    originalDesignId: DESIGN_ID,
    key: "k1",
  });
});

test("the owner makes a new link, after being told what happens to the old one", async () => {
  const { backend, user } = open(`/design/${DESIGN_ID}`, {
    design: { is_owner: true },
    signedIn: true,
  });
  backend.on("POST /rest/v1/rpc/end_design_link", { body: "k2" });
  await user.click(await screen.findByRole("button", { name: "Make a new link" }));
  expect(screen.getByText(/opens nothing any more, for everybody/)).toBeTruthy();
  backend.on("GET /rest/v1/designs", { body: { printify_product_id: "p1", link_key: "k2" } });
  await user.click(
    screen.getAllByRole("button", { name: "Make a new link" }).at(-1) as HTMLElement,
  );
  expect(await screen.findByText(/Only those who have its new link can see it/)).toBeTruthy();
  expect(backend.requestsTo("POST /rest/v1/rpc/end_design_link")[0]?.body).toEqual({
    design: DESIGN_ID,
  });
});

test("a visitor reports a design, and reads that it has arrived", async () => {
  const { backend, user } = open(`/design/${DESIGN_ID}?key=k1`);
  backend.on("POST /functions/v1/report-design", { body: { success: true } });
  await user.click(await screen.findByRole("button", { name: "Report this design" }));
  const send = await screen.findByRole("button", { name: "Send report" });
  expect(send).toHaveProperty("disabled", true);
  await user.click(screen.getByRole("radio", { name: "It uses somebody else's work or brand" }));
  await user.type(screen.getByLabelText("In your words"), "I drew it");
  await user.click(send);
  expect(await screen.findByText(/Your report has arrived/)).toBeTruthy();
  expect(backend.requestsTo("POST /functions/v1/report-design")[0]?.body).toEqual({
    designId: DESIGN_ID,
    key: "k1",
    reason: "copyright",
    words: "I drew it",
  });
});
