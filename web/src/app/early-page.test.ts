import { expect, test, vi } from "vitest";
import { colorGroups, DEFAULT_COLOR_HEX, groupOfVariant } from "@/shop/catalog/variants";
import { mockupPath } from "@/shop/designs/mockup-url";
import { DESIGN_ID } from "@/testing/backend";
import { type EarlyRequest, type EarlyTools, earlyDesign, earlyGallery } from "./early-page";

const request = (path: string): EarlyRequest => ({ method: "GET", path, headers: {} });
const REQUESTS = {
  design: request("design"),
  product: request("product"),
  publication: request("publication"),
  variants: request("variants"),
  sign: request("sign"),
  uuid: "^[0-9a-f-]{36}$",
  mockupOrigin: "https://pictures.example",
  mockupPath: mockupPath({ productId: "PRODUCT", printifyVariantId: "VARIANT" }),
};
const VARIANTS = [
  { id: "v1", name: "Dark Grey - Heather - L", printify_variant_id: 11, is_available: true },
  { id: "v2", name: "Dark Grey - Heather - M", printify_variant_id: 12, is_available: true },
  { id: "v3", name: "Dark Grey - M", printify_variant_id: 13, is_available: true },
  { id: "v4", name: "Undyed", printify_variant_id: 14, is_available: true },
];

async function shown(selected: string, responses: Record<string, unknown> = {}): Promise<string[]> {
  const bodies: Record<string, unknown> = {
    design: [{ is_public: true, selected_colors: [selected], image_url: null }],
    sign: { signedURL: "/object/sign/designs/u/d/picture.png?token=t" },
    product: [{ printify_product_id: "a/b" }],
    publication: null,
    variants: VARIANTS,
    ...responses,
  };
  const addresses: string[] = [];
  const tools = {
    settings: {},
    send: async ({ path }: EarlyRequest) => bodies[path],
    picture: (name: string, id: string) => `${name}/${id}`,
    stored: (signed: string) => `storage${signed}`,
    thumbnail: (publication: string) => `thumbnails/${publication}`,
    show: async (_place: number, address: string) => void addresses.push(address),
    complete: vi.fn(),
  };
  history.pushState(null, "", `/design/${DESIGN_ID}`);
  await earlyDesign(tools as EarlyTools, REQUESTS);
  expect(tools.complete).toHaveBeenCalledOnce();
  return addresses;
}

test.each(VARIANTS)(
  "the early shirt of $name is the one that the program will show",
  async (each) => {
    const all = VARIANTS.map((variant) => ({ ...variant, color_hex: DEFAULT_COLOR_HEX }));
    const group = groupOfVariant(colorGroups(all), each.id);
    const path = mockupPath({
      productId: "a/b",
      printifyVariantId: group?.variant.printify_variant_id ?? 0,
    });
    expect(await shown(each.id)).toEqual([`https://pictures.example${path}`]);
  },
);

test("without a product, or without a colour, the design's own picture is shown", async () => {
  const own = [`design_picture/${DESIGN_ID}`];
  expect(await shown("v1", { product: [] })).toEqual(own);
  expect(await shown("v1", { product: [{ printify_product_id: null }] })).toEqual(own);
  expect(await shown("gone")).toEqual(own);
});

test("a picture in Storage is shown by its signed address", async () => {
  const design = [{ is_public: false, selected_colors: ["v1"], image_url: "u/d/picture.png" }];
  const signed = "storage/object/sign/designs/u/d/picture.png?token=t";
  expect(await shown("v1", { design })).toEqual([signed]);
});

test("a private design's shirt is never asked for, and nothing of a missing design", async () => {
  const design = [{ is_public: false, selected_colors: ["v1"], image_url: null }];
  expect(await shown("v1", { design })).toEqual([`design_picture/${DESIGN_ID}`]);
  expect(await shown("v1", { design: [] })).toEqual([]);
});

test("an id that is none is not asked for", async () => {
  history.pushState(null, "", "/design/latest");
  const send = vi.fn();
  await earlyDesign({ send } as unknown as EarlyTools, REQUESTS);
  expect(send).not.toHaveBeenCalled();
});

test("the gallery's first pictures are the public thumbnails, and those that rows hold", async () => {
  const rows = [
    { id: "p1", user_id: "u", designs: { id: "d1", has_thumbnail: true, thumbnail_url: "u/d1/t" } },
    { id: "p2", user_id: "u", designs: { id: "d2", has_thumbnail: true, thumbnail_url: null } },
    { id: "p3", user_id: "u", designs: { id: "d3", has_thumbnail: false, thumbnail_url: null } },
  ];
  const addresses: string[] = [];
  const tools = {
    send: async ({ path }: EarlyRequest) => (path === "list" ? rows : []),
    picture: (name: string, id: string) => `${name}/${id}`,
    thumbnail: (publication: string) => `thumbnails/${publication}`,
    show: async (_place: number, address: string) => void addresses.push(address),
    complete: vi.fn(),
  };
  await earlyGallery(tools as unknown as EarlyTools, {
    list: request("list"),
    names: request("names"),
    total: request("total"),
    shown: 24,
    first: 3,
  });
  expect(addresses).toEqual(["thumbnails/p1", "design_thumbnail/d2"]);
});
