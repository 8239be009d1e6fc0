/** Where a visitor goes after signing in: the `redirect` query parameter, restricted to the shop's own paths. */

const HOME = "/dashboard";

/** The path that sends a visitor to sign in and then back to where they are. */
export function signInPath(location: { pathname: string; search: string }): string {
  return `/auth?redirect=${encodeURIComponent(location.pathname + location.search)}`;
}

/**
 * The path named by `?redirect=`. URLSearchParams has decoded it already; a second decoding helps links
 * that were encoded twice. Anything that leaves this site (`//host`, `https:`, `\`) becomes the dashboard.
 */
export function redirectTarget(search: URLSearchParams): string {
  const raw = search.get("redirect");
  if (!raw) return HOME;
  const path = raw.startsWith("/") ? raw : decodeOnce(raw);
  const inside =
    path.startsWith("/") && !/^\/[/\\]/.test(path) && !path.includes("\\") && !hasControls(path);
  return inside ? path : HOME;
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return HOME;
  }
}

function hasControls(text: string): boolean {
  return [...text].some((char) => char.charCodeAt(0) < 32);
}
