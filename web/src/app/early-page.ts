/**
 * The first requests and pictures of a page, before the app's script has loaded. screens.tsx writes these functions
 * into the HTML as text, so a function may use nothing from outside itself. The app takes the responses over
 * (lib/supabase/early-request.ts) and draws over the pictures.
 */

export interface EarlyRequest {
  method: string;
  /** Relative to the Data API's origin, with the query. Placeholders mark ids that only the browser knows. */
  path: string;
  /** Without the key. */
  headers: Record<string, string>;
  body?: string;
}

export interface EarlyTools {
  settings: { MOCKUP_BASE_URL?: string };
  send: <Body>(request: EarlyRequest, ids?: Record<string, readonly string[]>) => Promise<Body>;
  picture: (name: "design_thumbnail" | "design_picture", id: string) => string;
  /** An address that Storage signed. */
  stored: (signed: string) => string;
  /** The public thumbnail of a publication. */
  thumbnail: (publication: string) => string;
  /** Shows a picture in the page's placeholder of that number; resolves once it has loaded or failed. */
  show: (place: number, address: string) => Promise<void>;
  /** Marks that all data of the first render have arrived. */
  complete: () => void;
}

/** `fromReplica`: a visitor's gallery is read where lib/supabase/data-api.ts will read it. */
export function earlyTools(fromReplica: boolean): EarlyTools {
  const settings = JSON.parse(document.getElementById("teesmith-env")?.textContent || "{}");
  const withoutSlash = (url: unknown) => String(url).replace(/\/+$/, "");
  const origin = withoutSlash(settings.SUPABASE_URL);
  const readFrom = withoutSlash((fromReplica && settings.SUPABASE_READ_URL) || origin);
  const key = settings.SUPABASE_KEY;
  const early = { responses: new Map<string, Promise<Response>>(), complete: false };
  window.teesmithRequests = early;
  return {
    settings,
    async send({ method, path, headers, body }, ids = {}) {
      let url = readFrom + path;
      for (const [mark, each] of Object.entries(ids)) url = url.replaceAll(mark, each.join("%2C"));
      const response = fetch(url, {
        method,
        headers: { ...headers, apikey: key, authorization: `Bearer ${key}` },
        ...(body ? { body } : {}),
      });
      early.responses.set(`${method} ${url}`, response);
      const received = await response;
      if (!received.ok) throw new Error(`${received.status} from ${url}`);
      return method === "HEAD" ? null : received.clone().json();
    },
    picture: (name, id) =>
      `${origin}/rest/v1/rpc/${name}?${new URLSearchParams({ design: id, apikey: key })}`,
    stored: (signed) => `${origin}/storage/v1${signed}`,
    thumbnail: (publication) =>
      `${origin}/storage/v1/object/public/design-thumbnails/${publication}.jpg`,
    async show(number, address) {
      const place = document.querySelectorAll("#root [data-placeholder]")[number];
      const picture = new Image();
      picture.className = "size-full object-contain";
      picture.alt = "";
      picture.fetchPriority = "high";
      picture.src = address;
      place?.classList.remove("animate-pulse");
      place?.append(picture);
      await picture.decode().catch(() => picture.remove());
    },
    complete: () => {
      early.complete = true;
    },
  };
}

interface GalleryRow {
  id: string;
  user_id: string;
  designs: { id: string; has_thumbnail: boolean; thumbnail_url: string | null };
}

export interface GalleryRequests {
  list: EarlyRequest;
  names: EarlyRequest;
  /** Of all designs. */
  total?: EarlyRequest;
  /** A regular expression of a creator's id, whose designs the page shows. */
  creator?: string;
  /** How many rows of the list are shown. */
  shown: number;
  /** How many pictures are on the first screen. */
  first: number;
}

export async function earlyGallery(tools: EarlyTools, requests: GalleryRequests): Promise<void> {
  // another order, or a search
  if (requests.total && location.search) return;
  const creator = requests.creator ? (location.pathname.split("/")[2] ?? "") : undefined;
  if (creator !== undefined && !new RegExp(requests.creator ?? "", "i").test(creator)) return;
  const counting = requests.total && tools.send(requests.total);
  const ids = { CREATOR: [creator ?? ""] };
  const rows = (await tools.send<GalleryRow[]>(requests.list, ids)).slice(0, requests.shown);
  const pictures = rows.slice(0, requests.first).map(({ id, designs }, place) => {
    if (designs.thumbnail_url) return tools.show(place, tools.thumbnail(id));
    return designs.has_thumbnail
      ? tools.show(place, tools.picture("design_thumbnail", designs.id))
      : undefined;
  });
  const userIds = creator ? [creator] : [...new Set(rows.map((row) => row.user_id))];
  const decoration = Promise.all([tools.send(requests.names, { USERS: userIds }), counting]).then(
    tools.complete,
  );
  await Promise.all([decoration, ...pictures]);
}

interface DesignRow {
  is_public: boolean;
  image_url: string | null;
  selected_colors: string[] | null;
}

interface VariantRow {
  id: string;
  name: string;
  printify_variant_id: number;
  is_available: boolean;
}

export interface DesignRequests {
  design: EarlyRequest;
  product: EarlyRequest;
  publication: EarlyRequest;
  variants: EarlyRequest;
  /** Signs the picture's address. */
  sign: EarlyRequest;
  /** A regular expression. */
  uuid: string;
  mockupOrigin: string;
  /** With marks for the product and the variant. */
  mockupPath: string;
}

export async function earlyDesign(tools: EarlyTools, requests: DesignRequests): Promise<void> {
  const id = location.pathname.split("/")[2] ?? "";
  if (!new RegExp(requests.uuid, "i").test(id)) return;
  // a link with a key is opened by the app itself
  if (new URLSearchParams(location.search).has("key")) return;
  const ids = { DESIGN: [id] };
  const [[design], [product], variants] = await Promise.all([
    tools.send<DesignRow[]>(requests.design, ids),
    tools.send<{ printify_product_id: string | null }[]>(requests.product, ids),
    tools.send<VariantRow[]>(requests.variants),
    tools.send(requests.publication, ids),
  ]);
  // Sign the address in any case: the app may need it where this page does not.
  const address = design?.image_url
    ? tools
        .send<{ signedURL: string }>(requests.sign, { PICTURE: [design.image_url] })
        .then(({ signedURL }) => tools.stored(signedURL))
    : Promise.resolve(tools.picture("design_picture", id));
  // If the picture is not shown here, the app handles the failure.
  address.catch(() => {});
  tools.complete();
  if (!design) return;
  // The colour's variant: the first available one of that colour, in any size.
  const colorOf = (name: string) => name.split(" - ").slice(0, -1).join(" - ") || name;
  const selected = variants.find((variant) => variant.id === design.selected_colors?.[0]);
  const variant = variants.find(
    (each) => selected && each.is_available && colorOf(each.name) === colorOf(selected.name),
  );
  const made = design.is_public && product?.printify_product_id;
  if (!made || !variant) return tools.show(0, await address);
  const origin = (tools.settings.MOCKUP_BASE_URL ?? requests.mockupOrigin).replace(/\/+$/, "");
  const path = requests.mockupPath
    .replace("PRODUCT", encodeURIComponent(made))
    .replace("VARIANT", String(variant.printify_variant_id));
  return tools.show(0, origin + path);
}
