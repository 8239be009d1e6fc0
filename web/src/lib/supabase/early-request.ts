/**
 * Requests that the page sent before the app's script had loaded (app/early-page.ts): the app's own request with the
 * same method and address uses the response, once.
 */
declare global {
  interface Window {
    teesmithRequests?: EarlyRequests;
  }
}

interface EarlyRequests {
  /** By method and address. */
  responses: Map<string, Promise<Response>>;
  /** All data of the first render have arrived without a failure. */
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
  return early.then((response) => response.clone());
};
