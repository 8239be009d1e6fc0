/** Runs at build time only (plugins/prerender-plugin.ts): the pages that are, or begin as, finished HTML. */
import { renderToString } from "react-dom/server";
import type { RouteObject } from "react-router-dom";
import { OfflinePage } from "./app/pages/offline-page";
import type { Prerendering, StructuredData } from "./app/prerendered";
import { routes } from "./app/routes";
import { prerenderScreens } from "./app/screens";
import { StaticDocument } from "./app/static-document";
import { NOT_FOUND, STATIC_PAGES, type StaticPage } from "./app/static-pages";
import { HELP_DATA, SHOP_DATA } from "./app/structured-data";
import { LoadingScreen } from "./components/loading-screen";

const DATA: Record<string, StructuredData> = { "/": SHOP_DATA, "/faq": HELP_DATA };

export async function prerender(): Promise<Prerendering> {
  const draw = async (path: string, { description, load }: StaticPage) => ({
    path,
    description,
    html: renderToString(<StaticDocument page={await load()} />),
  });
  const pages = await Promise.all(
    Object.entries(STATIC_PAGES).map(async ([path, page]) => ({
      ...(await draw(path, page)),
      canonical: true,
      data: DATA[path],
    })),
  );
  const notFound = { ...(await draw("/404", NOT_FOUND)), file: "404.html" };
  return {
    pages: [...pages, notFound],
    offline: {
      path: "/offline",
      description: "No line reaches the shop right now.",
      html: renderToString(<OfflinePage />),
    },
    screens: await prerenderScreens(),
    paths: pathsOf(routes),
    waiting: renderToString(<StaticDocument page={WaitingPage} />),
  };
}

function pathsOf(table: RouteObject[]): string[] {
  return table.flatMap(({ path, children = [] }) => [
    ...(path && path !== "*" ? [path] : []),
    ...pathsOf(children),
  ]);
}

function WaitingPage() {
  return <LoadingScreen text="Loading..." />;
}
