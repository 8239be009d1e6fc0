/**
 * What went wrong with a link from a mail or from Google: the authentication service sends the visitor back
 * with `?error_description=` or `#error_description=`.
 */
export function returnedError(address: { search: string; hash: string }): string | undefined {
  for (const part of [address.search.slice(1), address.hash.slice(1)]) {
    const values = new URLSearchParams(part);
    const text = values.get("error_description") ?? values.get("error");
    if (text) return text;
  }
  return undefined;
}
