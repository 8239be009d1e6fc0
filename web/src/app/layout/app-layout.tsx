import { useEffect, useRef } from "react";
import {
  Link,
  type Location,
  NavLink,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
} from "react-router-dom";
import { ConnectionNotice } from "@/components/connection-notice";
import { LinksContext } from "@/components/shop-link";
import { Frame } from "./frame";
import { SessionHeader } from "./session-header";

const LINKS = { Link, NavLink };

/** Every fresh load has the key "default": by that alone one page would open where another was left. */
function scrollKey({ key, pathname, search }: Location): string {
  return key === "default" ? pathname + search : key;
}

export function AppLayout() {
  const navigation = useNavigation();
  const { hash, pathname } = useLocation();
  const opened = useRef(pathname);

  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);

  // What had the focus has gone with its page: go on at the start of the new one, as a browser does, but below the header.
  useEffect(() => {
    if (opened.current === pathname) return;
    opened.current = pathname;
    if (document.activeElement === document.body)
      document.querySelector("main")?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <LinksContext value={LINKS}>
      {navigation.state === "loading" ? (
        <span
          aria-hidden="true"
          className="fixed inset-x-0 top-0 z-50 h-1 animate-pulse bg-tomato"
        />
      ) : null}
      <Frame header={<SessionHeader />}>
        <Outlet />
      </Frame>
      <ConnectionNotice />
      <ScrollRestoration getKey={scrollKey} />
    </LinksContext>
  );
}
