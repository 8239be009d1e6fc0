import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, PROFILE, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { DashboardPage } from "./dashboard-page";

const DESIGNS = "GET /rest/v1/designs";

const PUBLICATION = { id: "p1", designs: { thumbnail_url: null } };

function design(number: number, changes: object = {}) {
  return {
    id: `d${number}`,
    name: `Design ${number}`,
    thumbnail_data: null,
    thumbnail_url: null,
    printify_product_id: "p",
    created_at: "2026-11-20T10:00:00+00:00",
    public_designs: null,
    ...changes,
  };
}

function open(rows: object[], total = rows.length, createdAt = USER.created_at) {
  const backend = new Backend()
    .signedIn({ ...USER, created_at: createdAt })
    .on(DESIGNS, {
      status: 206,
      body: rows,
      headers: { "content-range": `0-${rows.length - 1}/${total}` },
    })
    .on("GET /rest/v1/orders", { body: [] });
  renderRoutes(
    [{ path: "/dashboard", element: <SignedIn page={<DashboardPage />} /> }],
    "/dashboard",
  );
  return { backend, user: userEvent.setup() };
}

test("designs come seven at a time, newest first, without their full pictures", async () => {
  const { backend, user } = open(
    [1, 2, 3, 4, 5, 6, 7].map((number) => design(number)),
    20,
  );
  await screen.findByRole("link", { name: "Design 7" });
  const query = backend.requestsTo(DESIGNS)[0]?.query;
  expect([query?.get("order"), query?.get("offset"), query?.get("limit")]).toEqual([
    "created_at.desc,id.asc",
    "0",
    "7",
  ]);
  expect(query?.get("user_id")).toBe(`eq.${USER.id}`);
  expect(query?.get("select")).not.toContain("image_data");

  await user.click(screen.getByRole("button", { name: "Page 3" }));
  await waitFor(() => expect(backend.requestsTo(DESIGNS).at(-1)?.query.get("offset")).toBe("14"));
});

test("a deep page takes its ids from the index first", async () => {
  const { backend, user } = open(
    [1, 2, 3, 4, 5, 6, 7].map((number) => design(number)),
    700,
  );
  await user.click(await screen.findByRole("button", { name: "Page 100" }));
  await waitFor(() =>
    expect(backend.requestsTo(DESIGNS).at(-1)?.query.get("id")).toBe("in.(d1,d2,d3,d4,d5,d6,d7)"),
  );
  const ids = backend.requestsTo(DESIGNS).at(-2)?.query;
  expect([ids?.get("select"), ids?.get("offset"), ids?.get("limit")]).toEqual(["id", "693", "7"]);
  expect(await screen.findByText("700 in all")).toBeTruthy();
});

test("orders come fifty at a time", async () => {
  const { backend, user } = open([]);
  const order = (number: number) => ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    total: 19.9,
    status: "paid",
    refunded_cents: 0,
    created_at: "2026-11-01T00:00:00+00:00",
  });
  const all = Array.from({ length: 60 }, (_, index) => order(index));
  backend.on("GET /rest/v1/orders", ({ query }) => ({
    body: query.has("or") ? all.slice(50) : all.slice(0, 51),
  }));
  await user.click(await screen.findByRole("button", { name: "Show More Orders" }));
  await screen.findByRole("link", { name: "#000059" });
  expect(screen.queryByRole("button", { name: "Show More Orders" })).toBeNull();
  expect(backend.requestsTo("GET /rest/v1/orders")[1]?.query.get("or")).toBe(
    `(created_at.lt."2026-11-01T00:00:00+00:00",id.gt.${order(49).id})`,
  );
});

test("a row offers to finish a payment, and says what was refunded", async () => {
  const { backend } = open([]);
  const order = {
    id: "00000000-0000-4000-8000-000000000001",
    total: 19.9,
    status: "pending",
    refunded_cents: 0,
    created_at: "2026-11-01T00:00:00+00:00",
  };
  const id = "00000000-0000-4000-8000-000000000002";
  backend.on("GET /rest/v1/orders", {
    body: [order, { ...order, id, status: "shipped", refunded_cents: 590 }],
  });
  const links = await screen.findAllByRole("link", { name: /^Finish payment/ });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    `/order-details/${order.id}#pay`,
  ]);
  screen.getByText("$5.90 refunded");
});

test("thumbnails in Storage are shown by addresses signed together", async () => {
  const name = `${USER.id}/d1/thumbnail.jpg`;
  const { backend } = open([design(1, { thumbnail_url: name }), design(2)]);
  const signedURL = `/object/sign/designs/${name}?token=t`;
  backend.on("POST /storage/v1/object/sign/designs", {
    body: [{ path: name, signedURL, error: null }],
  });
  const row = (await screen.findByRole("link", { name: "Design 1" })).closest("li");
  expect(row?.querySelector("img")?.getAttribute("src")).toContain(`/storage/v1${signedURL}`);
  const requests = backend.requestsTo("POST /storage/v1/object/sign/designs");
  expect(requests.map(({ body }) => (body as { paths: string[] }).paths)).toEqual([[name]]);
});

test("publishing shows the thumbnail to everyone, under the publication's id", async () => {
  const { backend, user } = open([design(1)]);
  const thumbnail = `${USER.id}/d1/thumbnail.jpg`;
  backend
    .on("GET /rest/v1/profiles", { body: { ...PROFILE, public_name: "Inky" } })
    .on("POST /rest/v1/public_designs", {
      status: 201,
      body: { id: "p1", designs: { thumbnail_url: thumbnail } },
    })
    .on("POST /storage/v1/object/copy", { body: { Key: "design-thumbnails/p1.jpg" } });
  await screen.findByText(/Hello, Ada/);
  await user.click(await screen.findByRole("button", { name: "Private: Design 1" }));
  await waitFor(() => expect(backend.requestsTo("POST /storage/v1/object/copy")).toHaveLength(1));
  expect(backend.requestsTo("POST /storage/v1/object/copy")[0]?.body).toEqual({
    bucketId: "designs",
    sourceKey: thumbnail,
    destinationKey: "p1.jpg",
    destinationBucket: "design-thumbnails",
  });
});

test("an empty dashboard says so", async () => {
  open([]);
  expect(await screen.findByText("You haven't created any designs yet.")).toBeTruthy();
  expect(screen.getByText("No orders yet. Your future orders will appear here.")).toBeTruthy();
});

test("a rename is trimmed and saved with Enter, and given up with Escape", async () => {
  const { backend, user } = open([design(1)]);
  backend.on("PATCH /rest/v1/designs", { status: 204 });
  await user.click(await screen.findByRole("button", { name: "Rename: Design 1" }));
  await user.keyboard("{Escape}");
  expect(screen.queryByLabelText("Design name")).toBeNull();

  await user.click(screen.getByRole("button", { name: "Rename: Design 1" }));
  await user.clear(screen.getByLabelText("Design name"));
  await user.keyboard("{Enter}");
  expect(await screen.findByText("Design name cannot be empty.")).toBeTruthy();
  expect(backend.requestsTo("PATCH /rest/v1/designs")).toEqual([]);

  await user.type(screen.getByLabelText("Design name"), "  Octopus {Enter}");
  expect(await screen.findByText("Design name has been successfully updated.")).toBeTruthy();
  expect(backend.requestsTo("PATCH /rest/v1/designs")[0]?.body).toMatchObject({ name: "Octopus" });
});

test("a design is deleted only after it was asked for twice", async () => {
  const { backend, user } = open([design(1)]);
  backend.on("DELETE /rest/v1/designs", { status: 204 });
  await user.click(await screen.findByRole("button", { name: "Delete: Design 1" }));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(backend.requestsTo("DELETE /rest/v1/designs")).toEqual([]);

  await user.click(screen.getByRole("button", { name: "Delete: Design 1" }));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(await screen.findByText("Your design has been successfully deleted.")).toBeTruthy();
  expect(backend.requestsTo("DELETE /rest/v1/designs")[0]?.query.get("id")).toBe("eq.d1");
});

test("going public asks for a display name first, and saves it trimmed", async () => {
  const { backend, user } = open([design(1)]);
  backend
    .on("PATCH /rest/v1/profiles", { status: 204 })
    .on("POST /rest/v1/public_designs", { status: 201, body: PUBLICATION });
  await user.click(await screen.findByRole("button", { name: "Private: Design 1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Set Public Display Name" }));
  const confirm = dialog.getByRole<HTMLButtonElement>("button", { name: "Make Public" });
  expect(confirm.disabled).toBe(true);
  await user.type(dialog.getByRole("textbox"), "  Inky  ");
  await user.click(confirm);
  expect(
    await screen.findByText("Your design is now public and can be discovered by others."),
  ).toBeTruthy();
  expect(backend.requestsTo("PATCH /rest/v1/profiles")[0]?.body).toEqual({ public_name: "Inky" });
  expect(backend.requestsTo("POST /rest/v1/public_designs")[0]?.body).toEqual({
    design_id: "d1",
    user_id: USER.id,
  });
});

test("with a display name a design goes public at once, and a public one goes private", async () => {
  const { backend, user } = open([design(1), design(2, { public_designs: { id: "x" } })]);
  backend
    .on("GET /rest/v1/profiles", { body: { ...PROFILE, public_name: "Inky" } })
    .on("POST /rest/v1/public_designs", { status: 201, body: PUBLICATION })
    .on("DELETE /rest/v1/public_designs", { status: 204 });
  await screen.findByText(/Hello, Ada/);
  await user.click(await screen.findByRole("button", { name: "Private: Design 1" }));
  await waitFor(() => expect(backend.requestsTo("POST /rest/v1/public_designs")).toHaveLength(1));
  expect(backend.requestsTo("PATCH /rest/v1/profiles")).toEqual([]);

  const row = within(screen.getByRole("link", { name: "Design 2" }).closest("li") as HTMLElement);
  expect(row.queryByText("Anyone with the link can still see it.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Public: Design 2" }));
  expect(await screen.findByText("Your design is no longer public.")).toBeTruthy();
  expect(row.getByRole("status").textContent).toBe("Anyone with the link can still see it.");
  expect(backend.requestsTo("DELETE /rest/v1/public_designs")[0]?.query.get("design_id")).toBe(
    "eq.d2",
  );
});

test("somebody new is not welcomed back, and has a first step", async () => {
  open([], 0, new Date().toISOString());
  await screen.findByRole("heading", { name: "Welcome!" });
  expect(screen.getByText(/Your first shirt begins with an idea/)).toBeTruthy();
  const first = await screen.findByRole("link", { name: "Make your first design" });
  expect(first.getAttribute("href")).toBe("/design");
  expect(screen.getByText(/press Order Now/)).toBeTruthy();
});

test("who has a design is back, and so is who comes after a day", async () => {
  open([design(1)], 1, new Date().toISOString());
  await screen.findByRole("heading", { name: "Welcome back!" });
  cleanup();
  open([]);
  await screen.findByRole("heading", { name: "Welcome back!" });
});
