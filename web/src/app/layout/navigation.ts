/** The header's links for visitors, users and admins. */
export interface NavigationLink {
  to: string;
  label: string;
}

/** Props of the header and its drawer. */
export interface HeaderProps {
  links: NavigationLink[];
  signedIn: boolean;
  /** The session is still loading. */
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
