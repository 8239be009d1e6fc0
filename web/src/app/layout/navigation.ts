/** The header's links, by who is looking. */
interface NavigationLink {
  to: string;
  label: string;
}

export function navigationLinks(visitor: { signedIn: boolean; admin: boolean }): NavigationLink[] {
  const discover = { to: "/discover", label: "Discover" };
  if (!visitor.signedIn) return [discover];
  const links = [discover, { to: "/dashboard", label: "Dashboard" }, { to: "/profile", label: "Profile" }];
  return visitor.admin ? [...links, { to: "/admin", label: "Admin" }] : links;
}
