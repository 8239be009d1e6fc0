/** Runs at build time only (plugins/prerender-plugin.ts): the pages that are, or begin as, finished HTML. */
import { renderToString } from "react-dom/server";
import type { Prerendering } from "./app/prerendered";
import { prerenderScreens } from "./app/screens";
import { StaticDocument } from "./app/static-document";
import { STATIC_PAGES } from "./app/static-pages";
import { LoadingScreen } from "./components/loading-screen";

export async function prerender(): Promise<Prerendering> {
  const pages = await Promise.all(
    Object.entries(STATIC_PAGES).map(async ([path, { description, load }]) => ({
      path,
      description,
      html: renderToString(<StaticDocument page={await load()} />),
    })),
  );
  const waiting = renderToString(<StaticDocument page={WaitingPage} />);
  return { pages, screens: await prerenderScreens(), waiting };
}

function WaitingPage() {
  return <LoadingScreen text="Loading..." />;
}
