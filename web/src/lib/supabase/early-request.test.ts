import { afterEach, expect, test, vi } from "vitest";
import { earlyFetch, hasEarlyData } from "./early-request";

const ADDRESS = "https://api.example/rest/v1/designs?id=eq.1";

afterEach(() => {
  delete window.teesmithRequests;
  vi.unstubAllGlobals();
});

function early(response: Promise<Response>) {
  window.teesmithRequests = { responses: new Map([[`GET ${ADDRESS}`, response]]), complete: false };
  const network = vi.fn(async () => new Response("asked again"));
  vi.stubGlobal("fetch", network);
  return network;
}

test("a response that the page asked for is taken once", async () => {
  const network = early(Promise.resolve(new Response("early")));
  expect(await (await earlyFetch(ADDRESS)).text()).toBe("early");
  expect(network).not.toHaveBeenCalled();
  expect(await (await earlyFetch(ADDRESS)).text()).toBe("asked again");
});

test("another method of the same address is asked by itself", async () => {
  const network = early(Promise.resolve(new Response("early")));
  await earlyFetch(ADDRESS, { method: "HEAD" });
  expect(network).toHaveBeenCalledExactlyOnceWith(ADDRESS, { method: "HEAD" });
});

test("what got no answer has failed once, and is asked again by whoever tries again", async () => {
  early(Promise.reject(new TypeError("Failed to fetch")));
  await expect(earlyFetch(ADDRESS)).rejects.toThrow("Failed to fetch");
  expect(await (await earlyFetch(ADDRESS)).text()).toBe("asked again");
});

test("the page has its data once all of them are here", () => {
  expect(hasEarlyData()).toBe(false);
  window.teesmithRequests = { responses: new Map(), complete: false };
  expect(hasEarlyData()).toBe(false);
  window.teesmithRequests.complete = true;
  expect(hasEarlyData()).toBe(true);
});
