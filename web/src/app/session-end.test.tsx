/** A session that ends by itself, in the middle of a form. */
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { AuthPage } from "@/features/auth/auth-page";
import { OrderPage } from "@/features/checkout/order-page";
import { AiGeneratorPage } from "@/features/design/ai-generator-page";
import { ProfilePage } from "@/features/profile/profile-page";
import { Backend, DESIGN_ID, SESSION, USER } from "@/testing/backend";
import { DESIGN, fillOrder } from "@/testing/order";
import { renderRoutes } from "@/testing/render-routes";
import { fakeStripe } from "@/testing/stripe";
import { ProtectedRoute } from "./layout/protected-route";
import { SessionHeader } from "./layout/session-header";

const BOB = { ...USER, id: "99999999-9999-4999-8999-999999999999", email: "bob@example.com" };
const VARIANTS = [{ id: "v2", name: "Black - M", color_hex: "#1A1A1A", printify_variant_id: 2 }];
const PLACE = "POST /functions/v1/create-payment-intent";
const TOKEN = "POST /auth/v1/token";
const drafts = () => Object.keys(localStorage).filter((key) => key.includes("draft"));

beforeEach(() => {
  vi.stubGlobal("Stripe", fakeStripe.script);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

/** A filled checkout, whose session Auth will renew for nobody. */
async function fill() {
  const backend = new Backend()
    .signedIn()
    .on("GET /rest/v1/designs", { body: [DESIGN] })
    .on("GET /rest/v1/product_variants", { body: VARIANTS })
    .on("GET /rest/v1/user_addresses", { body: [] })
    .on("POST /auth/v1/logout", { status: 204 })
    .on(PLACE, { status: 401, body: { code: "session_not_found", message: "JWT expired" } })
    .on(TOKEN, ({ query }) =>
      query.get("grant_type") === "password"
        ? { body: { ...SESSION, access_token: `${SESSION.access_token}2` } }
        : { status: 400, body: { code: "refresh_token_not_found", message: "Not Found" } },
    );
  const router = renderRoutes(
    [
      {
        element: (
          <>
            <SessionHeader />
            <ProtectedRoute />
          </>
        ),
        children: [
          { path: "/order", element: <OrderPage /> },
          { path: "/profile", element: <ProfilePage /> },
          { path: "/design/ai-generator", element: <AiGeneratorPage /> },
        ],
      },
      { path: "/auth", element: <AuthPage /> },
      { path: "/", element: <p>the start</p> },
    ],
    `/order?design=${DESIGN_ID}`,
  );
  const user = userEvent.setup();
  await fillOrder(user);
  await user.click(screen.getByLabelText("Save this address for future orders"));
  return { backend, router, user };
}

type User = ReturnType<typeof userEvent.setup>;

async function pay(user: User) {
  fakeStripe.complete();
  await user.click(screen.getByRole("button", { name: "Pay $25.80" }));
}

async function signIn(user: User) {
  await user.click(screen.getByRole("button", { name: "Continue with email" }));
  await user.click(screen.getByLabelText("Email"));
  await user.paste("somebody@example.com");
  await user.click(screen.getByLabelText("Password"));
  await user.paste("a long enough password");
  await user.click(screen.getByRole("button", { name: "Log in" }));
}

test("a revoked session asks to sign in again, and the same person finds the order as it was", async () => {
  const { user } = await fill();
  await pay(user);
  await screen.findByText("Please sign in again");
  expect(document.body.textContent).not.toMatch(/JWT|authorization header/i);
  await signIn(user);
  expect(await screen.findByLabelText<HTMLInputElement>("Address")).toHaveProperty(
    "value",
    "221B Baker St",
  );
  expect(screen.getByLabelText<HTMLSelectElement>("Country").value).toBe("GB");
  expect(screen.getByLabelText("M quantity").textContent).toBe("1");
  expect(screen.getByLabelText("Save this address for future orders")).toHaveProperty(
    "ariaChecked",
    "false",
  );
}, 30_000);

test("another person finds nothing of it", async () => {
  const { backend, user } = await fill();
  await pay(user);
  await screen.findByText("Please sign in again");
  expect(drafts()).not.toEqual([]);
  backend.on(TOKEN, { body: { ...SESSION, user: BOB } });
  await signIn(user);
  await screen.findByRole("heading", { name: "Make It Yours First" });
  expect(drafts()).toEqual([]);
}, 30_000);

test("a token that is refused but renewed loses nothing, and asks nobody", async () => {
  const { backend, user } = await fill();
  fakeStripe.answers({ error: { message: "Your card was declined." } });
  const renewed = `${SESSION.access_token}2`;
  backend
    .on(TOKEN, { body: { ...SESSION, access_token: renewed } })
    .on(PLACE, ({ headers }) =>
      headers.get("authorization") === `Bearer ${renewed}`
        ? { body: { client_secret: "pi_1_secret_1", order_id: "o1" } }
        : { status: 401, body: { code: "PGRST303", message: "JWT expired" } },
    );
  await pay(user);
  expect((await screen.findByRole("alert")).textContent).toBe("Your card was declined.");
  expect(backend.requestsTo(PLACE)).toHaveLength(2);
}, 30_000);

test("who signs out on purpose leaves no draft, even where Auth does not answer", async () => {
  const { backend, router, user } = await fill();
  backend.on("POST /auth/v1/logout", () => {
    throw new TypeError("Failed to fetch");
  });
  expect(drafts()).not.toEqual([]);
  await user.click(screen.getAllByRole("button", { name: "Log Out" })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  await screen.findByText("the start");
  expect(drafts()).toEqual([]);
  expect(localStorage.getItem("teesmith-session")).toBeNull();
}, 30_000);

function tellFromAnotherTab(message: { event: string; session: unknown }) {
  const channel = new BroadcastChannel("teesmith-session");
  channel.postMessage(message);
  channel.close();
}

/** Another tab has signed out, and forgotten every draft. */
function signOutElsewhere() {
  for (const key of drafts()) localStorage.removeItem(key);
  localStorage.removeItem("teesmith-session");
  tellFromAnotherTab({ event: "SIGNED_OUT", session: null });
}

test("a sign-out in another tab is no decision of this one: its form is kept for its owner", async () => {
  const { user } = await fill();
  signOutElsewhere();
  await screen.findByText("Please sign in again");
  await signIn(user);
  expect(await screen.findByLabelText<HTMLInputElement>("City")).toHaveProperty("value", "London");
}, 30_000);

test("a short form is found again too, once", async () => {
  const { router, user } = await fill();
  await router.navigate("/profile");
  const name = await screen.findByLabelText("Name");
  await user.clear(name);
  await user.paste("Countess");
  expect(drafts().join()).not.toContain("profile");
  signOutElsewhere();
  await screen.findByText("Please sign in again");
  await signIn(user);
  expect(await screen.findByLabelText("Name")).toHaveProperty("value", "Countess");
  expect(drafts().join()).not.toContain("profile");
}, 30_000);

test("another person's sign-in in another tab finds nothing of what this one shows", async () => {
  const { router, user } = await fill();
  await router.navigate("/design/ai-generator");
  await user.click(await screen.findByLabelText("Your idea"));
  await user.paste("A secret of Ada's");
  tellFromAnotherTab({ event: "SIGNED_IN", session: { ...SESSION, user: BOB } });
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your idea").value).toBe(""),
  );
  const kept = drafts().map((key) => localStorage.getItem(key));
  expect(drafts().join()).not.toContain(USER.id);
  expect(kept.join()).not.toMatch(/secret|221B/);
}, 30_000);
