import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SESSION, USER } from "@/testing/backend";
import { SESSION_STORAGE_KEY } from "./client";

const SHOP = "http://shop.test";
const REPLICA = "http://replica.test";

/** The modules as a page with these settings has them, and the requests that leave it. */
async function open(settings: Record<string, string>) {
  const block = document.getElementById("teesmith-env");
  const given = JSON.parse(block?.textContent ?? "{}");
  if (block) block.textContent = JSON.stringify({ ...given, ...settings });
  vi.resetModules();
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
    const url = new URL(String(input));
    sent.push(`${init?.method ?? "GET"} ${url.origin}${url.pathname}`);
    return Response.json([]);
  });
  const { getDataApi, getGalleryApi } = await import("./data-api");
  return { sent, gallery: await getGalleryApi(), data: await getDataApi() };
}

beforeEach(() => {
  // The modules that have read these settings are shared with the files that come after.
  onTestFinished(() => {
    vi.resetModules();
    vi.unstubAllGlobals();
  });
});

test("a visitor's gallery is read from the replica, and all else from the shop", async () => {
  const page = await open({ SUPABASE_READ_URL: `${REPLICA}/` });
  await page.gallery.from("public_designs").select("id");
  await page.gallery.rpc("count_public_designs", { search: "" }, { get: true });
  await page.gallery.from("public_designs").select("id", { head: true, count: "exact" });
  await page.data.from("product_variants").select("id");
  expect(page.sent).toEqual([
    `GET ${REPLICA}/rest/v1/public_designs`,
    `GET ${REPLICA}/rest/v1/rpc/count_public_designs`,
    `HEAD ${REPLICA}/rest/v1/public_designs`,
    `GET ${SHOP}/rest/v1/product_variants`,
  ]);
});

test("what may change something never goes to the replica", async () => {
  const { sent, gallery } = await open({ SUPABASE_READ_URL: REPLICA });
  const likes = gallery.from("design_likes");
  await likes.insert({ design_id: "d", user_id: "u" });
  await likes.update({ design_id: "d" }).eq("user_id", "u");
  await likes.upsert({ design_id: "d", user_id: "u" });
  await likes.delete().eq("user_id", "u");
  await gallery.rpc("count_public_designs", { search: "" });
  const methods = ["POST", "PATCH", "POST", "DELETE"];
  expect(sent).toEqual([
    ...methods.map((method) => `${method} ${SHOP}/rest/v1/design_likes`),
    `POST ${SHOP}/rest/v1/rpc/count_public_designs`,
  ]);
});

test("who is signed in reads from the shop, where their own changes are", async () => {
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ ...SESSION, user: USER }));
  const page = await open({ SUPABASE_READ_URL: REPLICA });
  await page.gallery.from("public_designs").select("id");
  expect(page.sent).toEqual([`GET ${SHOP}/rest/v1/public_designs`]);
});

test("without a replica the gallery is read from the shop", async () => {
  const page = await open({});
  await page.gallery.from("public_designs").select("id");
  expect(page.sent).toEqual([`GET ${SHOP}/rest/v1/public_designs`]);
});
