import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Backend } from "@/testing/backend";
import { earlyGallery } from "./early-gallery";

const REQUEST = {
  path: "/rest/v1/public_designs?limit=12",
  headers: { accept: "application/json" },
};

const rows = (...thumbnails: boolean[]) =>
  thumbnails.map((has_thumbnail, index) => ({ designs: { id: `d${index}`, has_thumbnail } }));

/** A picture that is an element: the one of setup.ts only fails. */
function picture() {
  return document.createElement("img");
}

beforeEach(() => {
  vi.stubGlobal("Image", picture);
  document.body.innerHTML =
    '<main id="root"><i data-placeholder></i><i data-placeholder></i></main>';
});

afterEach(() => {
  document.body.innerHTML = "";
  delete document.documentElement.dataset.session;
  delete window.teesmithRequest;
});

test("the first pictures are shown in the placeholders, in their order", async () => {
  new Backend().on("GET /rest/v1/public_designs", { body: rows(false, true, true) });
  earlyGallery(REQUEST);
  await vi.waitFor(() => expect(document.querySelector("img")).not.toBeNull());
  const [first, second] = document.querySelectorAll("[data-placeholder]");
  expect(first?.childElementCount).toBe(0);
  expect(second?.querySelector("img")?.src).toBe(
    "http://shop.test/rest/v1/rpc/design_thumbnail?design=d1&apikey=sb_publishable_test",
  );
  expect(document.querySelectorAll("img")).toHaveLength(1);
});

test("the program finds the response under the address that it would ask", async () => {
  new Backend().on("GET /rest/v1/public_designs", { body: rows(true) });
  earlyGallery(REQUEST);
  expect(window.teesmithRequest?.url).toBe("http://shop.test/rest/v1/public_designs?limit=12");
  const response = await window.teesmithRequest?.response;
  expect(await response?.json()).toEqual(rows(true));
});

test("visitors who may have a session get no request without their token", () => {
  const backend = new Backend();
  document.documentElement.dataset.session = "maybe";
  earlyGallery(REQUEST);
  expect(backend.asks).toEqual([]);
  expect(window.teesmithRequest).toBeUndefined();
});

test("a failure leaves the placeholders for the program", async () => {
  new Backend().on("GET /rest/v1/public_designs", { status: 500, body: { message: "down" } });
  earlyGallery(REQUEST);
  expect((await window.teesmithRequest?.response)?.status).toBe(500);
  expect(document.querySelector("img")).toBeNull();
});
