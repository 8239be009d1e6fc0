/** The header's links, by who is looking. The admin panel's link comes with the panel. */
export interface NavigationLink {
  to: string;
  label: string;
}

export function navigationLinks(signedIn: boolean): NavigationLink[] {
  const discover = { to: "/discover", label: "Discover" };
  return signedIn
    ? [discover, { to: "/dashboard", label: "Dashboard" }, { to: "/profile", label: "Profile" }]
    : [discover];
}
