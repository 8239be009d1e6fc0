/**
 * Requests that the page sent before the program arrived (app/early-page.ts): the program's own request of the same
 * method and address takes the response, once.
 */
declare global {
  interface Window {
    teesmithRequests?: EarlyRequests;
  }
}

interface EarlyRequests {
  /** By method and address. */
  responses: Map<string, Promise<Response>>;
  /** Everything that the page shows first is here, and none of it failed. */
  complete: boolean;
}

function earlyRequests(): EarlyRequests | undefined {
  return typeof window === "undefined" ? undefined : window.teesmithRequests;
}

/** Whether the page can be drawn with its data at once. */
export function hasEarlyData(): boolean {
  return earlyRequests()?.complete === true;
}

export const earlyFetch: typeof fetch = (input, init) => {
  const responses = earlyRequests()?.responses;
  const name = `${init?.method ?? "GET"} ${input}`;
  const early = responses?.get(name);
  if (!early) return fetch(input, init);
  responses?.delete(name);
  // Without an answer it is asked again, so that the failure is this request's own.
  return early.then((response) => response.clone()).catch(() => fetch(input, init));
};
