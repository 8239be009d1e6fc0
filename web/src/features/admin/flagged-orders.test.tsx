import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, PROFILE } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { AdminPage } from "./admin-page";

const LIST = "POST /rest/v1/rpc/list_flagged_orders";
const RECORD = "POST /rest/v1/rpc/get_order_record";
const RESOLVE = "POST /rest/v1/rpc/resolve_order_flags";
const RETRY = "POST /rest/v1/rpc/retry_order";
const CANCEL = "POST /functions/v1/cancel-order";
const REFUND = "POST /functions/v1/refund-order";
const ID = "11111111-2222-4333-8444-0000abcdef12";
const FLAGGED = {
  id: ID,
  since: "2026-11-20T10:00:00Z",
  status: "paid",
  total: 45.7,
  customer: "Ann\u202e Lee",
  reasons: ["print_failed", "not_known_here"],
};
const AT = "2026-11-20T10:00:00Z";
const JOB = { kind: "print", attempts: 14, due_at: AT, done_at: null };
const ORDER = {
  id: ID,
  status: "paid",
  total: 45.7,
  refunded: 0,
  paid_at: AT,
  created_at: AT,
  cancel_requested_at: null,
  payment_intent_id: "pi_1",
  printify_order_id: null,
  shipping_address: JSON.stringify({ first_name: "Ann", city: "Toronto", country: "CA" }),
  flags: [
    {
      id: "f1",
      reason: "print_failed",
      details: "400 <script>\u202e",
      created_at: AT,
      resolved_at: null,
    },
    { id: "f0", reason: "disputed", details: "", created_at: AT, resolved_at: AT },
  ],
  jobs: [{ ...JOB, last_error: "printer_refused", gave_up_at: AT }],
  messages: [
    {
      channel: "mail",
      kind: "confirmation",
      attempts: 1,
      due_at: AT,
      last_error: null,
      sent_at: AT,
      gave_up_at: null,
    },
  ],
  events: [
    {
      id: "e1",
      kind: "placed",
      details: { total_cents: 4570 },
      created_at: AT,
      actor: "the customer",
    },
    {
      id: "e2",
      kind: "flagged",
      details: { reason: "print_failed", details: "400" },
      created_at: AT,
      actor: null,
    },
  ],
};

async function open(record: object = ORDER, orders: object[] = [FLAGGED], total = orders.length) {
  const backend = new Backend()
    .signedIn()
    .on("GET /rest/v1/profiles", { body: { ...PROFILE, is_admin: true } })
    .on("POST /rest/v1/rpc/get_order_stats", {
      body: { revenue_cents: 1990, paid_orders: 1, new_this_week: 0 },
    })
    .on("GET /rest/v1/orders", { body: [] })
    .on(LIST, { body: { total, orders } })
    .on(RECORD, { body: record });
  renderRoutes(
    [{ path: "/admin", element: <SignedIn page={<AdminPage />} /> }],
    "/admin?tab=orders",
  );
  const user = userEvent.setup();
  const section = await screen.findByRole("region", { name: "Need a person" });
  return { backend, user, section: within(section) };
}

async function openRecord(record: object = ORDER) {
  const page = await open(record);
  await page.user.click(await page.section.findByRole("button", { name: "Open #CDEF12" }));
  return { ...page, record: within(await screen.findByRole("region", { name: "Order #CDEF12" })) };
}

test("a calm line stands where no order needs a person, and the tab has no count", async () => {
  const { section } = await open(ORDER, []);
  await section.findByText(/No order needs a person/);
  expect(screen.getByRole("tab", { name: "Orders" })).toBeTruthy();
});

test("an order is listed with its reasons in words, its age and what is not seen in its name", async () => {
  const { section } = await open();
  await section.findByText("The printer does not take it");
  expect(section.getByText("Not known here")).toBeTruthy();
  expect(section.getByText("Nov 20, 2026, 10:00 AM UTC")).toBeTruthy();
  expect(section.getByText("Ann[U+202E] Lee")).toBeTruthy();
  expect(screen.getByRole("tab", { name: /^Orders.*1 need a person/ })).toBeTruthy();
});

test("more than are shown can be asked for", async () => {
  const { backend, user, section } = await open(ORDER, [FLAGGED], 1000);
  expect(await section.findByText("1 of 1,000 or more shown")).toBeTruthy();
  await user.click(section.getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(backend.requestsTo(LIST).at(-1)?.body).toEqual({ most: 150 }));
});

test("an open order shows flags, jobs, messages, its trail and the vendors' pages", async () => {
  const { record } = await openRecord();
  expect(record.getByText("400 <script>[U+202E]")).toBeTruthy();
  expect(record.getByText("Given up Nov 20, 2026, 10:00 AM UTC after 14 attempts")).toBeTruthy();
  expect(record.getByText("printer_refused")).toBeTruthy();
  expect(record.getByText("Email to the customer: Confirmation")).toBeTruthy();
  expect(record.getByText("Order placed: $45.70", { exact: false })).toBeTruthy();
  expect(record.getByText("Needs a person: the printer does not take it – 400")).toBeTruthy();
  expect(record.getByRole("link", { name: /Payment at Stripe/ }).getAttribute("href")).toBe(
    "https://dashboard.stripe.com/payments/pi_1",
  );
  expect(record.getByText("No print order")).toBeTruthy();
});

test("a retry is asked for once, and the list is read anew", async () => {
  const { backend, user, record } = await openRecord();
  backend.on(RETRY, { status: 204 });
  backend.on(LIST, { body: { total: 0, orders: [] } });
  await user.click(record.getByRole("button", { name: "Retry" }));
  await screen.findByText(/the next sweep takes it up within a minute/);
  expect(backend.requestsTo(RETRY).map((request) => request.body)).toEqual([{ of_order: ID }]);
  await screen.findByText(/No order needs a person/);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Need a person" })),
  );
});

test("only open flags are resolved, with a note", async () => {
  const { backend, user, record } = await openRecord();
  backend.on(RESOLVE, { body: 1 });
  await user.click(record.getByRole("button", { name: "Mark as resolved" }));
  const dialog = within(await screen.findByRole("dialog"));
  const button = dialog.getByRole("button", { name: "Mark as resolved" }) as HTMLButtonElement;
  expect(button.disabled).toBe(true);
  await user.type(dialog.getByLabelText("Note"), " Reprinted ");
  await user.click(button);
  await screen.findByText("Order #CDEF12 no longer needs a person.");
  expect(backend.requestsTo(RESOLVE).map((request) => request.body)).toEqual([
    { of_order: ID, flags: ["f1"], note: "Reprinted" },
  ]);
});

test("an admin who comes second is told so", async () => {
  const { backend, user, record } = await openRecord();
  backend.on(RESOLVE, { body: 0 });
  await user.click(record.getByRole("button", { name: "Mark as resolved" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Note"), "Reprinted");
  await user.click(dialog.getByRole("button", { name: "Mark as resolved" }));
  await screen.findByText("Another admin was first with order #CDEF12.");
});

test("a cancellation that comes too late says why", async () => {
  const { backend, user, record } = await openRecord();
  const error = "Your shirts are in production already, so this order cannot be cancelled.";
  backend.on(CANCEL, { status: 409, body: { error, code: "too_late_to_cancel" } });
  await user.click(record.getByRole("button", { name: "Cancel order" }));
  await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
  await screen.findByText(error);
});

test("a refund that the card company does not answer says what follows", async () => {
  const { backend, user, record } = await openRecord();
  const error = "The card company did not answer. The refund will follow by itself.";
  backend.on(REFUND, { status: 502, body: { error, code: "refund_pending" } });
  await user.click(record.getByRole("button", { name: "Refund" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Reason"), "Misprinted");
  await user.click(dialog.getByRole("button", { name: "Refund" }));
  await screen.findByText(error);
});

test("what is not possible is not offered", async () => {
  const shipped = { ...ORDER, status: "shipped", refunded: 45.7, jobs: [] };
  const { record } = await openRecord(shipped);
  for (const name of ["Retry", "Refund", "Cancel order"])
    expect(record.queryByRole("button", { name })).toBeNull();
  expect(record.getByRole("button", { name: "Mark as resolved" })).toBeTruthy();
});

test("a list or a record that cannot be read can be asked for again", async () => {
  const page = await open();
  page.backend.on(RECORD, { status: 400, body: { message: "no luck", code: "x" } });
  await page.user.click(await page.section.findByRole("button", { name: "Open #CDEF12" }));
  await page.section.findByText("The order could not be loaded.");
  page.backend.on(RECORD, { body: ORDER });
  await page.user.click(page.section.getByRole("button", { name: "Try Again" }));
  await screen.findByRole("region", { name: "Order #CDEF12" });
});
