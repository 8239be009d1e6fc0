import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, PROFILE, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { AdminPage } from "./admin-page";
import { retryDelay } from "./api/get-user-analytics";

const ORDERS = "GET /rest/v1/orders";

function person(id: string, name: string, changes: object = {}) {
  return {
    user_id: id,
    name,
    username: null,
    is_admin: false,
    total_orders: 1,
    total_spent: "19.90",
    total_designs: 2,
    total_sessions: 3,
    avg_session_duration_minutes: 75,
    last_login: null,
    created_at: "2026-01-01T00:00:00+00:00",
    ...changes,
  };
}

const ANALYTICS = "POST /rest/v1/rpc/get_user_analytics";
const EMAIL = "POST /rest/v1/rpc/get_user_email";
const ACCESS = "POST /functions/v1/check-admin-access";

function open({ admin = true, listed = false, tab = "" } = {}) {
  const backend = new Backend()
    .signedIn()
    .on(ACCESS, { body: { allowed: admin || listed } })
    .on("GET /rest/v1/profiles", { body: { ...PROFILE, is_admin: admin } })
    .on(ANALYTICS, {
      body: [person(USER.id, "Ada", { is_admin: true }), person("u2", "Bob")],
    })
    .on(EMAIL, { body: "bob@example.com" })
    .on("POST /rest/v1/rpc/get_user_stats", {
      body: { users: 50_000, admins: 5, new_this_week: 321, spent_cents: 123_456_789 },
    })
    .on("POST /rest/v1/rpc/list_flagged_orders", { body: { total: 0, orders: [] } })
    .on("POST /rest/v1/rpc/get_order_stats", {
      body: { revenue_cents: 1990, paid_orders: 1, new_this_week: 0 },
    });
  renderRoutes(
    [{ path: "/admin", element: <SignedIn page={<AdminPage />} /> }],
    `/admin${tab && `?tab=${tab}`}`,
  );
  return { backend, user: userEvent.setup() };
}

test("who is no admin is denied", async () => {
  open({ admin: false });
  await screen.findByRole("heading", { name: "Access Denied" });
  expect(screen.getByText("You don't have permission to access the admin panel.")).toBeTruthy();
});

test("whose address the server lists may open the page, and asks about nobody but themselves", async () => {
  const { backend } = open({ admin: false, listed: true });
  await screen.findByRole("tab", { name: "Users" });
  expect(backend.requestsTo(ACCESS).map((request) => request.body)).toEqual([{}]);
});

test("whose profile says admin needs no further question", async () => {
  const { backend } = open();
  await screen.findByRole("tab", { name: "Users" });
  expect(backend.requestsTo(ACCESS)).toEqual([]);
});

test("a question that fails is no denial, and can be asked again", async () => {
  const { backend, user } = open({ admin: false, listed: true });
  backend.on(ACCESS, {
    status: 400,
    body: { error: "Something went wrong on our side.", code: "x" },
  });
  await user.click(await screen.findByRole("button", { name: "Try Again" }));
  expect(screen.getByText("Something went wrong on our side.")).toBeTruthy();
  backend.on(ACCESS, { body: { allowed: true } });
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("tab", { name: "Users" });
});

test("the users come first, with their figures", async () => {
  open();
  const bob = within((await screen.findByText("Bob")).closest("li") as HTMLElement);
  expect(screen.getByRole("tab", { name: "Users" }).getAttribute("aria-selected")).toBe("true");
  expect(bob.getByText("1h 15m")).toBeTruthy();
  expect(bob.getByText("$19.90")).toBeTruthy();
  expect(bob.getByText("Never")).toBeTruthy();
});

test("the figures are the database's, over all users", async () => {
  open();
  expect(await screen.findByText("50,000")).toBeTruthy();
  expect(screen.getByText("$1,234,567.89")).toBeTruthy();
  expect(await screen.findByText("2 of 50,000 shown")).toBeTruthy();
});

test("sort, role and search are the database's work", async () => {
  const { backend, user } = open();
  await user.selectOptions(await screen.findByLabelText("Sort by"), "Most spent");
  await user.selectOptions(screen.getByLabelText("Role"), "Admins");
  await user.type(screen.getByLabelText("Search users"), " ada ");
  await waitFor(() =>
    expect(backend.requestsTo("POST /rest/v1/rpc/get_user_analytics").at(-1)?.body).toEqual({
      sort: "total_spent",
      role: "admin",
      search: "ada",
      page_size: 50,
    }),
  );
});

/** Asks first, and says whom by their address. */
async function makeAdmin(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole("button", { name: "Make Admin: Bob" }));
  const dialog = within(await screen.findByRole("alertdialog", { name: "Make Bob an admin?" }));
  await dialog.findByText("bob@example.com");
  await user.click(dialog.getByRole("button", { name: "Make Admin" }));
}

test("an admin makes others admins, but cannot change their own role", async () => {
  const { backend, user } = open();
  backend.on("PATCH /rest/v1/profiles", { body: [{ id: "u2" }] });
  await makeAdmin(user);
  expect(await screen.findByText("User role has been updated successfully.")).toBeTruthy();
  expect(backend.requestsTo("PATCH /rest/v1/profiles")[0]?.body).toEqual({ is_admin: true });
  expect(screen.queryByRole("button", { name: "Remove Admin: Ada" })).toBeNull();
});

test("nobody is made an admin whose address is not known, and keeping the role changes nothing", async () => {
  const { backend, user } = open();
  backend.on(EMAIL, { status: 403, body: { message: "no", code: "42501" } });
  await user.click(await screen.findByRole("button", { name: "Make Admin: Bob" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await dialog.findByText("This account may not do that.");
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Make Admin" }).disabled).toBe(true);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(backend.requestsTo("PATCH /rest/v1/profiles")).toEqual([]);
});

test("a change that the database does not make is a failure", async () => {
  const { backend, user } = open();
  backend.on("PATCH /rest/v1/profiles", { body: [] });
  await makeAdmin(user);
  expect(await screen.findByText("Update Failed")).toBeTruthy();
});

test("analytics are tried again after one second, two, and never more than thirty", () => {
  expect([0, 1, 2, 9].map(retryDelay)).toEqual([1000, 2000, 4000, 30_000]);
});

test("analytics that fail are tried twice more", async () => {
  const { backend } = open();
  backend.on(ANALYTICS, { status: 500, body: { message: "no", code: "XX000" } });
  expect(await screen.findByText("Error Loading Users")).toBeTruthy();
  expect(backend.requestsTo(ANALYTICS)).toHaveLength(3);
});

test("a refund needs a reason", async () => {
  const { backend, user } = open({ tab: "orders" });
  backend
    .on(ORDERS, {
      body: [
        {
          id: "00000000-0000-4000-8000-000000abcdef",
          total: 39.8,
          refunded: 1990,
          status: "shipped",
          created_at: "2026-11-01T00:00:00+00:00",
          shipping_address: '{"first_name":"Bob"}',
          user_id: null,
          order_items: [],
        },
      ],
    })
    .on("POST /functions/v1/refund-order", { body: { refund_id: "re_1" } });
  await user.click(await screen.findByRole("button", { name: "Refund #ABCDEF" }));
  screen.getByText("Deleted account");
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/\$19\.90 goes back to the shopper's card/);
  const refund = dialog.getByRole<HTMLButtonElement>("button", { name: "Refund" });
  expect(refund.disabled).toBe(true);
  await user.type(dialog.getByLabelText("Reason"), " misprinted ");
  await user.click(refund);
  expect(await screen.findByText("Order refunded")).toBeTruthy();
  expect(backend.requestsTo("POST /functions/v1/refund-order")[0]?.body).toEqual({
    order_id: "00000000-0000-4000-8000-000000abcdef",
    reason: "misprinted",
  });
});

test("a wholly refunded order offers no refund, and its print files in centimetres", async () => {
  const { backend, user } = open({ tab: "orders" });
  const size = { shirt: "M", width_cm: 30.5, height_cm: 34 };
  const file = { name: "A <b>fox</b>", side: "back", address: null, sizes: [size] };
  backend.on("POST /functions/v1/list-print-files", { body: { files: [file] } });
  const order = {
    id: "00000000-0000-4000-8000-000000abcdef",
    total: 19.9,
    refunded: 1990,
    status: "processing",
    created_at: "2026-11-01T00:00:00+00:00",
    shipping_address: null,
    user_id: "u1",
    order_items: [],
  };
  backend.on(ORDERS, { body: [order] });
  await screen.findByText("$19.90 refunded");
  expect(screen.queryByText("Deleted account")).toBeNull();
  expect(screen.queryByRole("button", { name: /^Refund/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Print files of #ABCDEF" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("M: 30.5 × 34.0 cm");
  dialog.getByRole("heading", { name: "Back" });
  dialog.getByText("A <b>fox</b>");
  dialog.getByText("No file kept");
});

test("test data has to be JSON before anything is sent", async () => {
  const { backend, user } = open({ tab: "webhook" });
  await user.type(await screen.findByLabelText("Webhook URL"), "https://example.com/hook");
  const data = screen.getByLabelText("Test data (JSON)");
  await user.clear(data);
  await user.type(data, "not json");
  await user.click(screen.getByRole("button", { name: "Test Webhook" }));
  expect(await screen.findByText("Webhook Test Error")).toBeTruthy();
  expect(backend.requestsTo("POST /functions/v1/test-webhook")).toEqual([]);
});

test.each([
  [{ body: { status: 200, ok: true, body: "fine" } }, "Webhook Test Successful"],
  [{ body: { status: 500, ok: false, body: "oops" } }, "Webhook Test Failed"],
  [{ status: 400, body: { error: "That address is private.", code: "x" } }, "Webhook Test Error"],
])("a custom test tells what the address answered", async (response, title) => {
  const { backend, user } = open({ tab: "webhook" });
  backend.on("POST /functions/v1/test-webhook", response);
  await user.type(await screen.findByLabelText("Webhook URL"), "https://example.com/hook");
  await user.click(screen.getByRole("button", { name: "Test Webhook" }));
  expect(await screen.findAllByText(title)).toBeTruthy();
  expect(backend.requestsTo("POST /functions/v1/test-webhook")[0]?.body).toEqual({
    url: "https://example.com/hook",
    payload: { event: "test", message: "Hello from Teesmith" },
  });
});

test("the shipped test ships the latest printed order with mock tracking, then tells of it", async () => {
  const { backend, user } = open({ tab: "webhook" });
  backend
    .on(ORDERS, { body: [{ id: "o1", printify_order_id: "p1" }] })
    .on("PATCH /rest/v1/orders", { body: [{ id: "o1" }] })
    .on("POST /functions/v1/send-tracking-webhook", { body: { success: true } });
  await user.click(await screen.findByRole("button", { name: "Test Shipped Webhook" }));
  expect(await screen.findByText("Shipped Webhook Test Successful")).toBeTruthy();
  expect(backend.requestsTo("PATCH /rest/v1/orders")[0]?.body).toMatchObject({
    status: "shipped",
    carrier: "USPS",
  });
  expect(backend.requestsTo("POST /functions/v1/send-tracking-webhook")[0]?.body).toEqual({
    printify_order_id: "p1",
  });
});

test("without orders the tests say so", async () => {
  const { backend, user } = open({ tab: "webhook" });
  backend.on(ORDERS, { body: [] });
  await user.click(await screen.findByRole("button", { name: "Test Order Webhook" }));
  expect(await screen.findByText("No Orders Found")).toBeTruthy();
});
