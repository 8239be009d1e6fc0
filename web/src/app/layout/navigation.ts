/** The header's links, by who is looking. */
export interface NavigationLink {
  to: string;
  label: string;
}

/** What the header and its drawer are given. */
export interface HeaderProps {
  links: NavigationLink[];
  signedIn: boolean;
  /** Who is looking is not known yet. */
  loading: boolean;
  onLogOut: () => void;
}

export function navigationLinks(signedIn: boolean, admin = false): NavigationLink[] {
  const links = [{ to: "/discover", label: "Discover" }];
  if (signedIn)
    links.push({ to: "/dashboard", label: "Dashboard" }, { to: "/profile", label: "Profile" });
  if (signedIn && admin) links.push({ to: "/admin", label: "Admin" });
  return links;
}
