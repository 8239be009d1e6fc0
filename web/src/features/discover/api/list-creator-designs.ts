/** public_designs of one person, newest first, with the name under which they publish. */
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { ServiceError } from "@/lib/errors/errors";
import { type DataApi, getGalleryApi } from "@/lib/supabase/data-api";
import { hasEarlyData } from "@/lib/supabase/early-request";
import { isUuid } from "@/lib/text/is-uuid";
import {
  CARD_COLUMNS,
  cardRows,
  creatorNamesRequest,
  type GalleryItem,
  toItem,
} from "@/shop/gallery/gallery-items";
import { GALLERY_KEY } from "@/shop/query-keys";
import { GALLERY_PAGE } from "./list-gallery";

interface Cursor {
  publishedAt: string;
  id: string;
}

export interface CreatorPage {
  creatorName: string;
  items: GalleryItem[];
  next: Cursor | undefined;
}

function creatorNotFound(): ServiceError {
  return new ServiceError("Creator not found", "creator_not_found", 404);
}

export function creatorDesignsRequest(api: DataApi, creatorId: string, after?: Cursor) {
  const all = api.from("public_designs").select(CARD_COLUMNS).eq("user_id", creatorId);
  const rest = after
    ? all
        .lte("created_at", after.publishedAt)
        .or(`created_at.lt."${after.publishedAt}",id.gt.${after.id}`)
    : all;
  return rest
    .order("created_at", { ascending: false })
    .order("id", { ascending: true })
    .limit(GALLERY_PAGE + 1);
}

async function listCreatorDesigns(creatorId: string, after?: Cursor): Promise<CreatorPage> {
  if (!isUuid(creatorId)) throw creatorNotFound();
  const api = await getGalleryApi();
  const [received, named] = await Promise.all([
    creatorDesignsRequest(api, creatorId, after).then(cardRows),
    creatorNamesRequest(api, [creatorId]),
  ]);
  // A profile is shown as long as something of its person's is public.
  if (received.length === 0 && !after) throw creatorNotFound();
  const creatorName = named.data?.[0]?.public_name?.trim() || "Anonymous";
  const names = new Map([[creatorId, creatorName]]);
  const rows = received.slice(0, GALLERY_PAGE);
  const last = received.length > rows.length ? rows.at(-1) : undefined;
  return {
    creatorName,
    items: rows.map((row) => toItem(row, names)),
    next: last && { publishedAt: last.created_at, id: last.id },
  };
}

export function creatorQuery(creatorId: string) {
  return infiniteQueryOptions({
    queryKey: [...GALLERY_KEY, "creator", creatorId],
    queryFn: ({ pageParam }) => listCreatorDesigns(creatorId, pageParam),
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (last: CreatorPage) => last.next,
    // The page says already that there is no such creator.
    retryOnMount: !hasEarlyData(),
  });
}

export function useCreatorDesigns(creatorId: string) {
  return useInfiniteQuery(creatorQuery(creatorId));
}
