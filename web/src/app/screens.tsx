/**
 * Renders the app's public screens at build time: the visitor sees the page before the script arrives, and the script
 * renders the same page again. Data from the database are placeholders in it.
 */
import { PostgrestClient } from "@supabase/postgrest-js";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router-dom";
import { creatorDesignsRequest } from "@/features/discover/api/list-creator-designs";
import {
  FIRST_ROW,
  GALLERY_PAGE,
  galleryRequest,
  totalRequest,
} from "@/features/discover/api/list-gallery";
import { MissingCreator } from "@/features/discover/missing-creator";
import { productRequest, publicationRequest } from "@/features/shared-design/api/get-shared-design";
import { MissingDesign, RemovedDesign } from "@/features/shared-design/missing-design";
import { MOCKUP_BASE_URL } from "@/lib/env";
import { VisitorProvider } from "@/lib/session/session-provider";
import type { DataApi } from "@/lib/supabase/data-api";
import { makeQueryClient } from "@/lib/supabase/query-client";
import { UUID } from "@/lib/text/is-uuid";
import { variantsRequest } from "@/shop/catalog/get-product-variants";
import { sharedDesignRequest } from "@/shop/designs/find-shared-design";
import { mockupPath } from "@/shop/designs/mockup-url";
import { signRequest } from "@/shop/designs/stored-pictures";
import { creatorNamesRequest } from "@/shop/gallery/gallery-items";
import {
  CREATOR_ID,
  DESIGN_ID,
  markSamples,
  provideCreator,
  provideDesign,
} from "./design-template";
import {
  type DesignRequests,
  type EarlyRequest,
  earlyDesign,
  earlyGallery,
  earlyTools,
  type GalleryRequests,
} from "./early-page";
import type { Prerendered } from "./prerendered";
import { routes } from "./routes";
import { StaticDocument } from "./static-document";
import {
  CREATOR_DATA,
  CREATOR_DESCRIPTION,
  DESIGN_DATA,
  DESIGN_DESCRIPTION,
  GALLERY_DATA,
} from "./structured-data";

const ORIGIN = "https://teesmith.example";
const POSTGREST = "/@supabase/postgrest-js/dist/index.mjs";

interface Screen extends Omit<Prerendered, "path" | "html" | "early"> {
  early?: () => Promise<string>;
  /** The address whose page is drawn, unless it is the screen's own. */
  address?: string;
  /** Drawn in place of the address's own page. */
  page?: ComponentType;
  /** Answers that the page is drawn with. */
  provide?: (client: QueryClient) => void;
  /** The last hand on the drawn page. */
  finish?: (html: string) => string;
}

// What the function design-page answers with, or the server in its place. None of them is a page's own address.
const GALLERY = {
  address: "/discover",
  description:
    "Designs that people made at Teesmith: look around, like them, and put one on a shirt of your own.",
  preload: ["/features/discover/discover-page.tsx", POSTGREST],
  early: async () => expression(earlyGallery, await galleryRequests(), true),
};
const CREATOR = {
  preload: ["/features/discover/creator-page.tsx", POSTGREST],
  early: async () => expression(earlyGallery, await creatorRequests(), true),
};
const DESIGN = {
  preload: ["/features/shared-design/shared-design-page.tsx", POSTGREST],
  early: async () => expression(earlyDesign, await designRequests()),
};

const SCREENS: Record<string, Screen> = {
  "/auth": {
    description:
      "Log in to Teesmith, or create your account: designing is free, and you need no card to start.",
    preload: ["/features/auth/auth-page.tsx"],
  },
  "/signup": {
    description: "Create your Teesmith account: designing is free, and you need no card to start.",
    preload: ["/features/auth/sign-up-page.tsx"],
  },
  "/gallery": GALLERY,
  "/public-gallery": { ...GALLERY, data: GALLERY_DATA },
  "/public-creator": {
    ...CREATOR,
    address: `/creator/${CREATOR_ID}`,
    description: CREATOR_DESCRIPTION,
    data: CREATOR_DATA,
    provide: provideCreator,
  },
  "/missing-creator": {
    ...CREATOR,
    hidden: true,
    description: "Nobody with designs in the gallery of Teesmith has this address.",
    page: MissingCreator,
  },
  // One page for all private designs: what it shows depends on the address.
  "/shared-design": {
    ...DESIGN,
    address: "/design/any",
    hidden: true,
    description:
      "A design made at Teesmith: look at it on a shirt, take a copy, and order it in your size.",
  },
  "/public-design": {
    ...DESIGN,
    address: `/design/${DESIGN_ID}`,
    canonical: true,
    description: DESIGN_DESCRIPTION,
    data: DESIGN_DATA,
    picture: { address: "__link_picture__", alt: "__short_name__, on a t-shirt" },
    provide: provideDesign,
    finish: markSamples,
  },
  "/missing-design": {
    ...DESIGN,
    hidden: true,
    description: "This link leads to no design at Teesmith.",
    page: MissingDesign,
  },
  "/removed-design": {
    ...DESIGN,
    hidden: true,
    description: "This design is no longer shown at Teesmith.",
    page: RemovedDesign,
    metas: { "teesmith-removed": DESIGN_ID },
  },
};

async function renderScreen(path: string, provide?: Screen["provide"]): Promise<string> {
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(`${ORIGIN}${path}`));
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
  const client = makeQueryClient();
  provide?.(client);
  return draw(context, createStaticRouter(handler.dataRoutes, context), client);
}

function draw(
  context: StaticHandlerContext,
  router: ReturnType<typeof createStaticRouter>,
  client: QueryClient,
): string {
  return renderToString(
    <QueryClientProvider client={client}>
      <VisitorProvider>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </VisitorProvider>
    </QueryClientProvider>,
  );
}

/** A request as the client will send it: its path and headers, without the key. */
async function recorded(send: (api: DataApi) => PromiseLike<unknown>): Promise<EarlyRequest> {
  let request: EarlyRequest | undefined;
  const note: typeof fetch = async (input, init) => {
    request = {
      method: init?.method ?? "GET",
      path: String(input).replace(ORIGIN, ""),
      headers: Object.fromEntries(new Headers(init?.headers)),
    };
    return Response.json([]);
  };
  await send(new PostgrestClient(`${ORIGIN}/rest/v1`, { fetch: note }) as unknown as DataApi);
  if (!request) throw new Error("The page asks for nothing");
  return request;
}

async function galleryRequests(): Promise<GalleryRequests> {
  return {
    list: await recorded((api) => galleryRequest(api)),
    names: await recorded((api) => creatorNamesRequest(api, ["USERS"])),
    total: await recorded((api) => totalRequest(api)),
    shown: GALLERY_PAGE,
    first: FIRST_ROW,
  };
}

async function creatorRequests(): Promise<GalleryRequests> {
  return {
    list: await recorded((api) => creatorDesignsRequest(api, "CREATOR")),
    names: await recorded((api) => creatorNamesRequest(api, ["USERS"])),
    creator: UUID.source,
    shown: GALLERY_PAGE,
    first: FIRST_ROW,
  };
}

async function designRequests(): Promise<DesignRequests> {
  return {
    design: await recorded((api) => sharedDesignRequest(api, "DESIGN")),
    product: await recorded((api) => productRequest(api, "DESIGN")),
    publication: await recorded((api) => publicationRequest(api, "DESIGN")),
    variants: await recorded((api) => variantsRequest(api)),
    sign: signRequest("PICTURE"),
    uuid: UUID.source,
    mockupOrigin: MOCKUP_BASE_URL,
    mockupPath: mockupPath({ productId: "PRODUCT", printifyVariantId: "VARIANT" }),
  };
}

/** As text: the page's early function with its dependencies. */
function expression<Requests>(
  act: (tools: ReturnType<typeof earlyTools>, requests: Requests) => Promise<void>,
  requests: Requests,
  fromReplica = false,
): string {
  return `(${act})((${earlyTools})(${fromReplica}), ${JSON.stringify(requests)})`;
}

export function prerenderScreens(): Promise<Prerendered[]> {
  return Promise.all(
    Object.entries(SCREENS).map(async ([path, screen]) => {
      const { early, page, provide, address = path, finish = (html) => html, ...rest } = screen;
      const drawn = page
        ? renderToString(<StaticDocument page={page} />)
        : await renderScreen(address, provide);
      return {
        canonical: !rest.hidden,
        ...rest,
        path: address,
        file: `${path}/index.html`,
        html: finish(drawn),
        ...(early ? { early: await early() } : {}),
      };
    }),
  );
}
