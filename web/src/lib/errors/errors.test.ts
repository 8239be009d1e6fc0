import { expect, test } from "vitest";
import { formatNextTime } from "@/lib/text/format";
import { ConnectionError, errorMessage, ServiceError, unwrap } from "./errors";

test("a good answer is its data", () => {
  expect(unwrap({ data: [1], error: null })).toEqual([1]);
});

test("a refused answer keeps its code and status, and has a sentence", () => {
  const read = () =>
    unwrap({ data: null, error: { message: "permission denied", code: "42501" }, status: 403 });
  expect(read).toThrow(new ServiceError("This account may not do that.", "42501", 403));
});

test("a request that never arrived is a lost connection", () => {
  const read = () => unwrap({ data: null, error: { message: "TypeError: Failed to fetch" } });
  expect(read).toThrow(ConnectionError);
});

test("people read a service's sentence, and the fallback for anything unexpected", () => {
  expect(errorMessage(new ServiceError("Busy.", "busy", 503), "fallback")).toBe("Busy.");
  expect(errorMessage(new ServiceError("", undefined, 500), "fallback")).toBe("fallback");
  expect(errorMessage(new TypeError("x is not a function"), "fallback")).toBe("fallback");
});

test("an error that will pass says until when, on the visitor's clock", () => {
  const soon = new Date(Date.now() + 90_000);
  const error = new ServiceError("Enough for now.", "usage_limit", 429, soon);
  expect(errorMessage(error, "fallback")).toBe(
    `Enough for now. You can try again ${formatNextTime(soon)}.`,
  );
});

test("a gateway without a service behind it is a lost connection, a service that is busy is not", () => {
  const gateway = () => unwrap({ data: null, error: { message: "Bad Gateway" }, status: 502 });
  expect(gateway).toThrow(ConnectionError);
  const busy = () =>
    unwrap({ data: null, error: { message: "Timed out.", code: "PGRST003" }, status: 504 });
  expect(busy).toThrow(
    new ServiceError("The shop is very busy. Please try again in a minute.", "PGRST003", 504),
  );
});

test("an answer without a sentence leaves the words to the page", () => {
  const read = () => unwrap({ data: null, error: { message: "{}" }, status: 500 });
  expect(read).toThrow(new ServiceError("", undefined, 500));
});
