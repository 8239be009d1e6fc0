/**
 * The shop's service worker. It keeps one page, which a visitor without a network sees in the place of the browser's,
 * and touches nothing else. The build writes that page's version here: a changed one is fetched again.
 */
const VERSION = "VERSION";
const PAGE = "/offline";

async function keep() {
  const response = await fetch(PAGE, { cache: "reload" });
  if (!response.ok) throw new Error(`${PAGE} is answered ${response.status}`);
  // A copy: a response that a host has redirected may not stand for another page.
  const { headers } = response;
  await (await caches.open(VERSION)).put(PAGE, new Response(await response.blob(), { headers }));
}

async function begin() {
  for (const name of await caches.keys()) if (name !== VERSION) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
}

async function answer(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (failure) {
    const kept = await caches.match(PAGE);
    if (kept) return kept;
    throw failure;
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(answer(event));
});
