import { expect, test } from "vitest";
import { sentenceOf } from "./sentences";

const SIGN_IN = "Please sign in again.";

test.each([
  ["the Data API", { message: "JWT expired", code: "PGRST303", status: 401 }],
  ["the Data API", { message: "JWSError JWSInvalidSignature", code: "PGRST301", status: 401 }],
  ["an older Data API", { message: "JWT expired", status: 401 }],
  [
    "the functions' gateway",
    { message: "Missing authorization header", code: "UNAUTHORIZED_NO_AUTH_HEADER", status: 401 },
  ],
  ["the functions' gateway", { message: "Invalid JWT", code: "401", status: 401 }],
  ["Kong", { message: "Invalid authentication credentials", status: 401 }],
  ["Storage", { message: "jwt expired", code: "Unauthorized", status: 400 }],
  ["Storage", { message: '"exp" claim timestamp check failed', code: "Unauthorized", status: 400 }],
  ["Auth", { message: "Auth session missing!", status: 400, name: "AuthSessionMissingError" }],
  [
    "Auth",
    {
      message: "Session from session_id claim in JWT does not exist",
      code: "session_not_found",
      status: 403,
      name: "AuthApiError",
    },
  ],
])("%s means that the session has ended", (_, failure) => {
  expect(sentenceOf(failure)).toBe(SIGN_IN);
});

test.each([
  { message: "no Route matched with those values", status: 404 },
  { message: "An invalid response was received from the upstream server", status: 500 },
  { message: 'relation "public.designs" does not exist', code: "42P01", status: 404 },
  { message: "Could not find the table 'public.x' in the schema cache", code: "PGRST205" },
  { message: "<html><h1>It works.</h1></html>", status: 400 },
  { message: "Function failed to start (please check logs)", code: "BOOT_ERROR", status: 503 },
  { message: "{}", status: 500, name: "AuthRetryableFetchError" },
  { message: "Database error saving new user", code: "unexpected_failure", name: "AuthApiError" },
])("$message is for nobody to read", (failure) => {
  expect(sentenceOf(failure)).toBe("");
});

test.each([
  ["Too long", { message: "canceling statement due to statement timeout", code: "57014" }],
  ["Too often", { message: "Request rate limit reached", status: 429 }],
])("%s is a busy shop", (_, failure) => {
  expect(sentenceOf(failure)).toBe("The shop is very busy. Please try again in a minute.");
});

test("sentences of the shop's SQL are shown as they are", () => {
  const message = "An order cannot go from paid to pending.";
  expect(sentenceOf({ message, code: "23514", status: 400 })).toBe(message);
});

test("what Auth says of a form is shown as it is", () => {
  const message = "Invalid login credentials";
  expect(
    sentenceOf({ message, code: "invalid_credentials", status: 400, name: "AuthApiError" }),
  ).toBe(message);
});
