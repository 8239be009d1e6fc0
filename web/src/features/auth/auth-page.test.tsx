import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, SESSION, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { AuthPage } from "./auth-page";
import { ResetPasswordPage } from "./reset-password-page";
import { returnedError } from "./returned-error";
import { SignUpPage } from "./sign-up-page";

function open(path: string) {
  const backend = new Backend();
  const router = renderRoutes(
    [
      { path: "/auth", element: <AuthPage /> },
      { path: "/auth/reset-password", element: <ResetPasswordPage /> },
      { path: "/signup", element: <SignUpPage /> },
      { path: "*", element: <p>elsewhere</p> },
    ],
    path,
  );
  return { backend, router, user: userEvent.setup() };
}

async function fillIn(user: ReturnType<typeof userEvent.setup>, submit: string) {
  await user.type(screen.getByLabelText("Email"), "ada@teesmith.example");
  await user.type(screen.getByLabelText("Password"), "teesmith-demo");
  await user.click(screen.getByRole("button", { name: submit }));
}

test("a wrong password is said in a toast and on the form", async () => {
  const { backend, user } = open("/auth");
  backend.on("POST /auth/v1/token", {
    status: 400,
    body: { code: 400, error_code: "invalid_credentials", msg: "Invalid login credentials" },
  });
  await user.click(screen.getByRole("button", { name: "Continue with email" }));
  await user.type(screen.getByLabelText("Email"), "ada@teesmith.example");
  await user.type(screen.getByLabelText("Password"), "wrong{Enter}");
  expect(await screen.findByText("Login error!")).toBeTruthy();
  expect((await screen.findByRole("alert")).textContent).toBe("Invalid login credentials");
});

test("signing in leads on to where the visitor was going, and is recorded once", async () => {
  const { backend, router, user } = open("/auth?redirect=%2Forder%3Fdesign%3Dd1%26color%3Dv1");
  backend.on("POST /auth/v1/token", { body: SESSION });
  expect(
    screen.getByText("You'll be redirected back to continue with your design after signing in."),
  ).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Continue with email" }));
  await user.type(screen.getByLabelText("Email"), "ada@teesmith.example");
  await user.type(screen.getByLabelText("Password"), "teesmith-demo{Enter}");
  await screen.findByText("elsewhere");
  expect(router.state.location.pathname + router.state.location.search).toBe(
    "/order?design=d1&color=v1",
  );
  await waitFor(() => expect(backend.requestsTo("POST /rest/v1/user_sessions")).toHaveLength(1));
  expect(backend.requestsTo("POST /rest/v1/user_sessions")[0]?.body).toMatchObject({
    user_id: USER.id,
  });
});

test("where Google is not set up, that is said instead of leaving for a page of JSON", async () => {
  const { backend, user } = open("/auth");
  backend.on("GET /auth/v1/settings", { body: { external: { google: false } } });
  await user.click(screen.getByRole("button", { name: "Continue with Google" }));
  expect(await screen.findByText("Google sign in error!")).toBeTruthy();
  expect((await screen.findByRole("alert")).textContent).toMatch(/continue with your email/);
});

test("the form's two faces and the way back to the options", async () => {
  const { user } = open("/auth");
  expect(screen.getByRole("heading", { name: "Welcome back!" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Create an account" }));
  expect(screen.getByRole("heading", { name: "Create your account" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Sign up with Google" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Continue with email" }));
  await user.click(screen.getByRole("button", { name: "← Back to sign in options" }));
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(screen.getByRole("button", { name: "Continue with Google" })).toBeTruthy();
});

test("signing up sends a link back to /auth and says to look into the mail", async () => {
  const { backend, user } = open("/signup");
  backend.on("POST /auth/v1/signup", { body: { ...USER, identities: [] } });
  await fillIn(user, "Sign up with email");
  expect(await screen.findByText("Verify your email to finish signing up.")).toBeTruthy();
  const request = backend.requestsTo("POST /auth/v1/signup")[0];
  expect(request?.query.get("redirect_to")).toBe(`${location.origin}/auth`);
  expect(request?.body).toMatchObject({
    email: "ada@teesmith.example",
    code_challenge_method: "s256",
  });
});

test("who signs in before confirming the address can have the mail again, and type its code", async () => {
  const { backend, user } = open("/auth");
  backend
    .on("POST /auth/v1/token", {
      status: 400,
      body: { code: 400, error_code: "email_not_confirmed", msg: "Email not confirmed" },
    })
    .on("POST /auth/v1/resend", { body: {} })
    .on("POST /auth/v1/verify", { body: SESSION });
  await user.click(screen.getByRole("button", { name: "Continue with email" }));
  await fillIn(user, "Log in");
  const again = await screen.findByRole<HTMLButtonElement>("button", {
    name: "Send the mail again",
  });
  await user.click(again);
  expect(await screen.findByText("The mail is on its way.")).toBeTruthy();
  expect(again.disabled).toBe(true);
  const request = backend.requestsTo("POST /auth/v1/resend")[0];
  expect(request?.body).toMatchObject({ type: "signup", email: "ada@teesmith.example" });
  expect(request?.query.get("redirect_to")).toMatch(new RegExp(`^${location.origin}/auth(\\?|$)`));
  await user.type(screen.getByLabelText("Code from the mail"), "12 34 56");
  await user.click(screen.getByRole("button", { name: "Confirm my email" }));
  await screen.findByText("elsewhere");
  expect(backend.requestsTo("POST /auth/v1/verify")[0]?.body).toMatchObject({
    type: "email",
    email: "ada@teesmith.example",
    token: "123456",
  });
});

test.each([
  ["known", { status: 200, body: {} }, 60],
  [
    "known and asked for again too soon",
    {
      status: 429,
      body: {
        code: 429,
        error_code: "over_email_send_rate_limit",
        msg: "For security purposes, you can only request this after 7 seconds.",
      },
    },
    60,
  ],
  [
    "known to a service with a longer pause",
    {
      status: 429,
      body: {
        code: 429,
        error_code: "over_email_send_rate_limit",
        msg: "For security purposes, you can only request this after 300 seconds.",
      },
    },
    300,
  ],
])("an address that is %s is answered in the same words", async (_, response, seconds) => {
  const { backend, user } = open("/auth/reset-password");
  backend.on("POST /auth/v1/recover", response);
  await user.type(screen.getByLabelText("Email"), "ada@teesmith.example");
  await user.click(screen.getByRole("button", { name: "Send me the mail" }));
  await screen.findByText(/^If there is an account for/);
  expect(screen.getByText(`You can ask for another in ${seconds} s.`)).toBeTruthy();
  expect(screen.queryAllByRole("alert").map((alert) => alert.textContent)).toEqual(["", ""]);
});

test("a service that takes no more mails at all is quoted, with a way to try again", async () => {
  const { backend, user } = open("/auth/reset-password");
  backend.on("POST /auth/v1/recover", {
    status: 429,
    body: { code: 429, error_code: "over_email_send_rate_limit", msg: "email rate limit exceeded" },
  });
  await user.type(screen.getByLabelText("Email"), "ada@teesmith.example");
  await user.click(screen.getByRole("button", { name: "Send me the mail" }));
  await screen.findByText("Too many mails were asked for. Please try again later.");
  expect(screen.getByRole("button", { name: "Send me the mail" })).toBeTruthy();
});

test("a forgotten password leads to the reset with address and redirect kept", async () => {
  const { router, user } = open("/auth?redirect=%2Fprofile");
  await user.click(screen.getByRole("button", { name: "Continue with email" }));
  await user.type(screen.getByLabelText("Email"), "ada@teesmith.example");
  await user.click(screen.getByRole("link", { name: "Forgot your password?" }));
  expect(router.state.location.pathname + router.state.location.search).toBe(
    "/auth/reset-password?redirect=%2Fprofile",
  );
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@teesmith.example");
});

test("an address that is none is caught at the field", async () => {
  const { backend, user } = open("/signup");
  await user.type(screen.getByLabelText("Email"), "ada");
  await user.click(screen.getByRole("button", { name: "Sign up with email" }));
  expect(await screen.findByText("This doesn't look like an email address.")).toBeTruthy();
  expect(screen.getByText("Enter a password.")).toBeTruthy();
  expect(backend.requests).toEqual([]);
});

test("what a mail's link brings back is read from the query or the fragment", () => {
  for (const address of [
    { search: "?error=x&error_description=Unable+to+exchange+external+code", hash: "" },
    { search: "", hash: "#error=access_denied" },
    { search: "?redirect=%2Fdashboard%3Ferror%3Daccess_denied", hash: "" },
  ])
    expect(returnedError(address)).toBe("Signing in was not finished. Please try again.");
  expect(returnedError({ search: "?code=1", hash: "" })).toBeUndefined();
  expect(
    returnedError({ search: "?error=access_denied&error_code=otp_expired", hash: "" }),
  ).toMatch(/^This link has been used already/);
});

test("a password's rule stands before it fails, and its characters can be shown", async () => {
  const { user } = open("/signup");
  const password = screen.getByLabelText<HTMLInputElement>("Password");
  expect(screen.getByText("At least 6 characters.")).toBeTruthy();
  await user.type(password, "teesmith-demo");
  expect(password.type).toBe("password");
  const show = screen.getByRole("button", { name: "Show the characters" });
  await user.click(show);
  expect([password.type, password.value]).toEqual(["text", "teesmith-demo"]);
  expect(show.getAttribute("aria-pressed")).toBe("true");
  await user.click(show);
  expect(password.type).toBe("password");
});
