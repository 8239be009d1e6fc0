import type { User } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { emailNotice } from "./email-return";

const user = { email: "old@example.com" } as User;
const waiting = { ...user, new_email: "new@example.com" };

test("a profile that was opened by no link says nothing", () => {
  expect(emailNotice("", "", user)).toBeUndefined();
});

test("a change that waits names both mailboxes, also on a later visit", () => {
  expect(emailNotice("", "", waiting)).toContain("to old@example.com and one to new@example.com");
});

test("the first link asks for the second, in words of the shop's own", () => {
  const said = emailNotice("?email=changed&message=You+have+won", "", waiting);
  expect(said).toBe("One address is confirmed. Now open the link in the other mail too.");
});

test("the second link says the new address", () => {
  expect(emailNotice("?email=changed", "", user)).toBe("Your email is old@example.com now.");
});

test("a link that was used says so, wherever Auth puts its error", () => {
  const failed = expect.stringContaining("used already");
  expect(emailNotice("?email=changed&error=access_denied", "", user)).toEqual(failed);
  expect(emailNotice("?email=changed", "#error_code=otp_expired", user)).toEqual(failed);
});
