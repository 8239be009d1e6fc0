/** Runs at build time only (plugins/prerender-plugin.ts): the static pages as HTML. */
import { renderToString } from "react-dom/server";
import type { Prerendered } from "./app/prerendered";
import { StaticDocument } from "./app/static-document";
import { STATIC_PAGES } from "./app/static-pages";

export async function prerender(): Promise<Prerendered[]> {
  return Promise.all(
    Object.entries(STATIC_PAGES).map(async ([path, { description, load }]) => ({
      path,
      description,
      html: renderToString(<StaticDocument page={await load()} />),
    })),
  );
}
