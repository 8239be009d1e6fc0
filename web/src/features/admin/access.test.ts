import { expect, test } from "vitest";
import { mayOpenAdmin } from "./access";

test.each([
  ["by the profile's flag", { email: "ada@example.com", isAdmin: true }, "", true],
  [
    "by a listed address, however it is written",
    { email: "Ada@Example.com", isAdmin: false },
    " bob@example.com, ada@example.COM ",
    true,
  ],
  ["not without either", { email: "ada@example.com", isAdmin: false }, "bob@example.com", false],
  ["not by an empty list", { email: "", isAdmin: false }, "", false],
  ["not without an address", { email: undefined, isAdmin: false }, ",", false],
])("the admin page opens %s", (_case, visitor, list, allowed) => {
  expect(mayOpenAdmin(visitor, list)).toBe(allowed);
});
