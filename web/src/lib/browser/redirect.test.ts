import { describe, expect, test } from "vitest";
import { redirectTarget, signInPath } from "./redirect";

const target = (query: string) => redirectTarget(new URLSearchParams(query));

test("the way to sign in carries the whole path and query, and leads back to it", () => {
  const path = signInPath({ pathname: "/order", search: "?design=1&color=2" });
  expect(path).toBe("/auth?redirect=%2Forder%3Fdesign%3D1%26color%3D2");
  expect(target(path.split("?", 2)[1] ?? "")).toBe("/order?design=1&color=2");
});

test("without a redirect it is the dashboard", () => {
  expect(target("")).toBe("/dashboard");
  expect(target("redirect=")).toBe("/dashboard");
});

test("a link that was encoded twice still works", () => {
  expect(target("redirect=%252Fdesign%252Fai-generator")).toBe("/design/ai-generator");
});

describe("a redirect never leaves the shop", () => {
  test.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "javascript:alert(1)",
    "%2F%2Fevil.example",
    "/\t/evil.example",
    "%",
  ])("%s", (redirect) => {
    expect(target(`redirect=${encodeURIComponent(redirect)}`)).toBe("/dashboard");
  });
});
