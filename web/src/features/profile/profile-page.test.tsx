import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { Backend, USER } from "@/testing/backend";
import { renderRoutes } from "@/testing/render-routes";
import { SignedIn } from "@/testing/signed-in";
import { ProfilePage } from "./profile-page";

const DELETE = "POST /functions/v1/delete-account";

function open(hasPassword: boolean) {
  const backend = new Backend()
    .signedIn()
    .on("POST /rest/v1/rpc/has_password", { body: hasPassword });
  renderRoutes([{ path: "/profile", element: <SignedIn page={<ProfilePage />} /> }], "/profile");
  return { backend, user: userEvent.setup() };
}

test("an account without a password is deleted by a mailed code", async () => {
  const { backend, user } = open(false);
  backend.on("POST /auth/v1/otp", { body: {} }).on(DELETE, {
    status: 409,
    body: { error: "We still owe you a parcel (#ABCDEF).", code: "orders_not_sent" },
  });
  await screen.findByRole("button", { name: "Set a password" });
  await user.click(screen.getByRole("button", { name: "Delete my account" }));
  expect(screen.queryByLabelText("Your password")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Mail me a code" }));
  await screen.findByText("The mail is on its way.");
  expect(backend.requestsTo("POST /auth/v1/otp")[0]?.body).toMatchObject({
    email: USER.email,
    create_user: false,
  });
  await user.type(screen.getByLabelText("Code from the mail"), "123 456");
  await user.click(screen.getByRole("button", { name: "Delete for good" }));
  expect((await screen.findByText(/We still owe you a parcel/)).getAttribute("role")).toBe("alert");
  expect(backend.requestsTo(DELETE)[0]?.body).toEqual({ code: "123456" });
});

test("a form in a dialog does not save the profile below it", async () => {
  const { backend, user } = open(true);
  backend.on("PUT /auth/v1/user", { body: { ...USER, new_email: "new@example.com" } });
  await user.click(await screen.findByRole("button", { name: "Change email" }));
  await user.type(screen.getByLabelText("New email"), "not an address");
  await user.click(screen.getByRole("button", { name: "Send the mails" }));
  await screen.findByText("This doesn't look like an email address.");
  await user.clear(screen.getByLabelText("New email"));
  await user.type(screen.getByLabelText("New email"), "new@example.com{Enter}");
  await screen.findByText("Check both mailboxes!");
  expect(backend.requestsTo("PATCH /rest/v1/profiles")).toEqual([]);
  expect(backend.requestsTo("PUT /auth/v1/user")[0]?.query.get("redirect_to")).toMatch(
    /\/profile\?email=changed$/,
  );
});

test("a copy that is refused says why", async () => {
  const { backend, user } = open(true);
  backend.on("POST /functions/v1/export-account", {
    status: 429,
    body: { error: "You've reached our limit for copies of an account.", code: "usage_limit" },
  });
  await user.click(await screen.findByRole("button", { name: "Download my data" }));
  await screen.findByText("Download failed");
  await screen.findByText("You've reached our limit for copies of an account.");
});
