/** Of a page's query, what the next page of signing in needs: the redirect, and nothing of a mail's link. */
export function keptSearch(search: string): string {
  const redirect = new URLSearchParams(search).get("redirect");
  return redirect ? `?redirect=${encodeURIComponent(redirect)}` : "";
}
