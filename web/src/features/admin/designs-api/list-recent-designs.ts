/** designs: the newest, with their creators' names. */
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { thumbnailAddresses } from "@/shop/designs/stored-pictures";
import { ADMIN_KEY } from "../admin-key";
import { LIST_LIMIT } from "../limits";

const schema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    created_at: z.string(),
    user_id: z.string(),
    image_url: z.nullable(z.string()),
    thumbnail_data: z.nullable(z.string()),
    thumbnail_url: z.nullable(z.string()),
    printify_product_id: z.nullable(z.string()),
  }),
);

const profiles = z.array(
  z.object({
    id: z.string(),
    name: z.nullable(z.string()),
    username: z.nullable(z.string()),
  }),
);

export type RecentDesign = z.infer<typeof schema>[number] & {
  creator: string;
  thumbnail: string | null;
};

async function listRecentDesigns(): Promise<RecentDesign[]> {
  const supabase = await getSupabase();
  const response = await supabase
    .from("designs")
    .select(
      "id, name, created_at, user_id, image_url, thumbnail_data, thumbnail_url, printify_product_id",
    )
    .order("created_at", { ascending: false })
    .limit(LIST_LIMIT);
  const designs = z.parse(schema, unwrap(response));
  const ids = [...new Set(designs.map((design) => design.user_id))];
  const [profilesResponse, addressOf] = await Promise.all([
    supabase.from("profiles").select("id, name, username").in("id", ids),
    thumbnailAddresses(designs.map((design) => design.thumbnail_url)),
  ]);
  const names = new Map(
    z
      .parse(profiles, unwrap(profilesResponse))
      .map(({ id, name, username }) => [id, name?.trim() || username?.trim()]),
  );
  return designs.map((design) => ({
    ...design,
    creator: names.get(design.user_id) ?? "Unknown",
    thumbnail: addressOf(design.thumbnail_url) ?? design.thumbnail_data,
  }));
}

export function useRecentDesigns() {
  return useQuery({ queryKey: [...ADMIN_KEY, "designs"], queryFn: listRecentDesigns });
}
