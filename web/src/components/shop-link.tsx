/**
 * Links for components of both the app and the static pages: inside the app its router follows them without a load;
 * static pages have no router, so the browser loads the target.
 */
import { type ComponentProps, type ComponentType, createContext, useContext } from "react";

export interface ShopLinkProps extends ComponentProps<"a"> {
  to: string;
}

interface Links {
  Link: ComponentType<ShopLinkProps>;
  /** Marks itself `aria-current="page"` on the page that it leads to. */
  NavLink: ComponentType<ShopLinkProps>;
}

function PlainLink({ to, ...props }: ShopLinkProps) {
  return <a href={to} {...props} />;
}

export const LinksContext = createContext<Links>({ Link: PlainLink, NavLink: PlainLink });

export function ShopLink(props: ShopLinkProps) {
  const { Link } = useContext(LinksContext);
  return <Link {...props} />;
}

export function ShopNavLink(props: ShopLinkProps) {
  const { NavLink } = useContext(LinksContext);
  return <NavLink {...props} />;
}
