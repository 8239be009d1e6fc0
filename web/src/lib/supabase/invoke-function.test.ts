import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { ConnectionError, ServiceError } from "@/lib/errors/errors";
import { Backend } from "@/testing/backend";
import { invokeFunction } from "./invoke-function";

const schema = z.object({ city: z.string() });
const call = (reads = true) =>
  invokeFunction({ slug: "lookup-zip-code", body: { zipCode: "90210" }, schema, reads });
const LOOK_UP = "POST /functions/v1/lookup-zip-code";
const CITY = { body: { city: "Beverly Hills" } };

test("a function's answer comes back parsed", async () => {
  const backend = new Backend().on("POST /functions/v1/lookup-zip-code", {
    body: { city: "Beverly Hills" },
  });
  await expect(call()).resolves.toEqual({ city: "Beverly Hills" });
  expect(backend.requestsTo("POST /functions/v1/lookup-zip-code")[0]?.body).toEqual({
    zipCode: "90210",
  });
});

test("a function's error is its sentence, its code and its status", async () => {
  new Backend().on("POST /functions/v1/lookup-zip-code", {
    status: 409,
    body: { error: "The price has changed.", code: "amount_mismatch" },
  });
  const error = await call().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    message: "The price has changed.",
    code: "amount_mismatch",
    status: 409,
  });
});

test("an error that will pass says when", async () => {
  new Backend().on("POST /functions/v1/lookup-zip-code", {
    status: 429,
    body: { error: "Enough.", code: "usage_limit", retry_at: "2026-11-22T10:00:00+00:00" },
  });
  await expect(call()).rejects.toMatchObject({
    message: "Enough.",
    code: "usage_limit",
    status: 429,
    retryAt: new Date("2026-11-22T10:00:00Z"),
  });
});

test("the gateway's own errors are read too", async () => {
  new Backend().on("POST /functions/v1/lookup-zip-code", {
    status: 401,
    body: { code: 401, message: "Invalid JWT" },
  });
  await expect(call()).rejects.toMatchObject({
    message: "Please sign in again.",
    code: "401",
    status: 401,
  });
});

test("no answer at all is a lost connection", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(call()).rejects.toBeInstanceOf(ConnectionError);
});

const keysOf = (backend: Backend) =>
  backend.requestsTo(LOOK_UP).map((request) => request.headers.get("idempotency-key"));

test("each call has a key of its own, but for those that only read", async () => {
  const backend = new Backend().on(LOOK_UP, CITY);
  await call(false);
  await call(false);
  await call();
  const [first, second, third] = keysOf(backend);
  expect(first).toMatch(/^"[0-9a-f-]{36}"$/);
  expect(second).toMatch(/^"[0-9a-f-]{36}"$/);
  expect(second).not.toBe(first);
  expect(third).toBeNull();
});

test("a call whose answer was lost is repeated with its key, and waits for the first", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const running = { status: 409, body: { error: "Wait.", code: "call_in_progress" } };
  const answers = [() => Promise.reject(new TypeError("Failed to fetch")), () => running];
  const backend = new Backend().on(LOOK_UP, () => (answers.shift() ?? (() => CITY))());
  const answer = call(false);
  await vi.runAllTimersAsync();
  await expect(answer).resolves.toEqual({ city: "Beverly Hills" });
  expect(keysOf(backend)).toHaveLength(3);
  expect(new Set(keysOf(backend)).size).toBe(1);
});

test.each([
  ["a refusal", { status: 409, body: { error: "No.", code: "already_paid" } }],
  ["a failure of the function", { status: 502, body: { error: "Later.", code: "away" } }],
])("%s is an answer and not repeated", async (_, answer) => {
  const backend = new Backend().on(LOOK_UP, answer);
  await expect(call(false)).rejects.toBeInstanceOf(ServiceError);
  expect(keysOf(backend)).toHaveLength(1);
});

test("a call that is given up is not repeated", async () => {
  const stop = new AbortController();
  const backend = new Backend().on(LOOK_UP, () => {
    stop.abort();
    throw new DOMException("aborted", "AbortError");
  });
  const given = { slug: "lookup-zip-code", body: {}, schema, signal: stop.signal };
  await expect(invokeFunction(given)).rejects.toBeInstanceOf(ConnectionError);
  expect(keysOf(backend)).toHaveLength(1);
});

test("an answer of another shape is an error, not a surprise later", async () => {
  new Backend().on("POST /functions/v1/lookup-zip-code", { body: { town: "?" } });
  await expect(call()).rejects.toMatchObject({ code: "bad_answer" });
});

test("functions with an address of their own are called there", async () => {
  const block = document.getElementById("teesmith-env");
  const settings = JSON.parse(block?.textContent ?? "{}");
  const FUNCTIONS_URL = "http://functions.test/shop";
  if (block) block.textContent = JSON.stringify({ ...settings, FUNCTIONS_URL });
  vi.resetModules();
  // The modules that have read these settings are shared with the files that come after.
  onTestFinished(() => void vi.resetModules());
  const { invokeFunction: invoke } = await import("./invoke-function");
  const backend = new Backend().on("POST /shop/lookup-zip-code", {
    body: { city: "Beverly Hills" },
  });
  const result = await invoke({ slug: "lookup-zip-code", body: { zipCode: "90210" }, schema });
  expect(result).toEqual({ city: "Beverly Hills" });
  expect(backend.requestsTo("POST /functions/v1/lookup-zip-code")).toEqual([]);
  expect(backend.requestsTo("POST /shop/lookup-zip-code")).toHaveLength(1);
});
