const EXPIRED =
  "This link has been used already, or it is too old. Log in with your email: if your address still needs confirming, we'll send you a new mail.";

const DENIED = "Signing in was not finished. Please try again.";

/**
 * What went wrong with a link from a mail or from Google: the authentication service sends the visitor back
 * with `?error_description=` or `#error_description=`.
 */
export function returnedError(address: { search: string; hash: string }): string | undefined {
  for (const part of [address.search.slice(1), address.hash.slice(1)]) {
    const values = new URLSearchParams(part);
    if (values.get("error_code") === "otp_expired") return EXPIRED;
    // The texts are Auth's, or of whoever wrote the link.
    if (values.has("error_description") || values.has("error")) return DENIED;
  }
  // A protected page redirects here and passes its own address, error included, as `redirect`.
  const redirect = new URLSearchParams(address.search).get("redirect") ?? "";
  const query = redirect.indexOf("?");
  return query < 0 ? undefined : returnedError({ search: redirect.slice(query), hash: "" });
}
