/**
 * A request that the page sent before the program arrived (plugins/early-gallery.ts): who asks for the same address takes
 * its response, once.
 */
declare global {
  interface Window {
    teesmithRequest?: { url: string; response: Promise<Response> };
  }
}

export const earlyFetch: typeof fetch = (input, init) => {
  const early = typeof window === "undefined" ? undefined : window.teesmithRequest;
  if (early?.url !== String(input)) return fetch(input, init);
  delete window.teesmithRequest;
  // Without an answer it is asked again, so that the failure is this request's own.
  return early.response.then((response) => response.clone()).catch(() => fetch(input, init));
};
