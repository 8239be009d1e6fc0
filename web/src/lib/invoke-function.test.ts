import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { Backend } from "@/testing/backend";
import { ConnectionError, ServiceError } from "./errors";
import { invokeFunction } from "./invoke-function";

const schema = z.object({ city: z.string() });
const call = () => invokeFunction({ slug: "lookup-zip-code", body: { zipCode: "90210" }, schema });

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
  await expect(call()).rejects.toMatchObject({ message: "Invalid JWT", code: "401", status: 401 });
});

test("no answer at all is a lost connection", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(call()).rejects.toBeInstanceOf(ConnectionError);
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
