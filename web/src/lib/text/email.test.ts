import { expect, test } from "vitest";
import { EMAIL_ADDRESSES } from "@/testing/tables";
import { asciiEmail, isEmail } from "./email";

test("every address of the table is judged as by the function, and has the same form on the wire", () => {
  const judged = EMAIL_ADDRESSES.map(([written]) => [
    written,
    isEmail(written) ? asciiEmail(written) : null,
  ]);
  expect(judged).toEqual(EMAIL_ADDRESSES.map(([written, , onTheWire]) => [written, onTheWire]));
});

test("what is no address stays as it is", () => {
  for (const text of ["", "@", "ann", "ann@", "a@b c"]) expect(asciiEmail(text)).toBe(text);
});
