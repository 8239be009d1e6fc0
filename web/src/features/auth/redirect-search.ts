/**
 * The part of a page's query for the next page of signing in: the redirect, without the parameters of a mail's link.
 */
export function redirectSearch(search: string): string {
  const redirect = new URLSearchParams(search).get("redirect");
  return redirect ? `?redirect=${encodeURIComponent(redirect)}` : "";
}
