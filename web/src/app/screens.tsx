/**
 * The app's public screens as a visitor meets them, drawn at build time: the page stands before the program arrives,
 * which then draws the same one. What the database holds is still a placeholder in it.
 */
import { PostgrestClient } from "@supabase/postgrest-js";
import { QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router-dom";
import { galleryRequest } from "@/features/discover/api/list-gallery";
import type { DataApi } from "@/lib/data-api";
import { makeQueryClient } from "@/lib/query-client";
import { VisitorProvider } from "@/lib/session/session-provider";
import { type EarlyRequest, earlyGallery } from "./early-gallery";
import type { Prerendered } from "./prerendered";
import { routes } from "./routes";

const ORIGIN = "https://teesmith.example";

const SCREENS = {
  "/auth": {
    description:
      "Log in to Teesmith, or create your account: designing is free, and you need no card to start.",
    preload: ["/features/auth/auth-page.tsx"],
  },
  "/signup": {
    description: "Create your Teesmith account: designing is free, and you need no card to start.",
    preload: ["/features/auth/sign-up-page.tsx"],
  },
  "/discover": {
    description:
      "Designs that people made at Teesmith: look around, like them, and put one on a shirt of your own.",
    preload: ["/features/discover/discover-page.tsx", "/@supabase/postgrest-js/dist/index.mjs"],
  },
};

async function renderScreen(path: string): Promise<string> {
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(`${ORIGIN}${path}`));
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
  return draw(context, createStaticRouter(handler.dataRoutes, context));
}

function draw(
  context: StaticHandlerContext,
  router: ReturnType<typeof createStaticRouter>,
): string {
  return renderToString(
    <QueryClientProvider client={makeQueryClient()}>
      <VisitorProvider>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </VisitorProvider>
    </QueryClientProvider>,
  );
}

/** The gallery's first request, as the client will send it: its path and headers, without the key. */
async function firstGalleryRequest(): Promise<EarlyRequest> {
  let request: EarlyRequest | undefined;
  const note: typeof fetch = async (input, init) => {
    const headers = [...new Headers(init?.headers)];
    request = { path: String(input).replace(ORIGIN, ""), headers: Object.fromEntries(headers) };
    return Response.json([]);
  };
  const api = new PostgrestClient(`${ORIGIN}/rest/v1`, { fetch: note });
  await galleryRequest(api as unknown as DataApi);
  if (!request) throw new Error("The gallery asks for nothing");
  return request;
}

export function prerenderScreens(): Promise<Prerendered[]> {
  return Promise.all(
    Object.entries(SCREENS).map(async ([path, screen]) => ({
      path,
      ...screen,
      html: await renderScreen(path),
      ...(path === "/discover"
        ? { script: `(${earlyGallery})(${JSON.stringify(await firstGalleryRequest())})` }
        : {}),
    })),
  );
}
