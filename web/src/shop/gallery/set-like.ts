/** design_likes: insert one's like of a design, or delete it. The screen changes at once, and back again on failure. */
import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { getSupabase } from "@/lib/supabase/client";
import { GALLERY_KEY, SHARED_DESIGN_KEY } from "@/shop/query-keys";
import type { GalleryItem } from "./gallery-items";
import { likeCountAfter, withLike, withLikeCount } from "./likes";
import { myLikesKey } from "./list-my-likes";

interface Like {
  designId: string;
  userId: string;
  liked: boolean;
}

const LIKED_ALREADY = "23505";

async function setLike({ designId, userId, liked }: Like): Promise<void> {
  const supabase = await getSupabase();
  const likes = supabase.from("design_likes");
  if (!liked) {
    unwrap(await likes.delete().eq("design_id", designId).eq("user_id", userId));
    return;
  }
  const response = await likes.insert({ design_id: designId, user_id: userId });
  // Liked from another tab already: that is the requested state.
  if (response.error?.code !== LIKED_ALREADY) unwrap(response);
}

export function useSetLike() {
  const client = useQueryClient();

  function show({ designId, userId, liked }: Like) {
    client.setQueriesData<ReadonlySet<string>>({ queryKey: myLikesKey(userId) }, (likes) =>
      withLike(likes, designId, liked),
    );
    client.setQueriesData<InfiniteData<{ items: GalleryItem[] }>>(
      { queryKey: GALLERY_KEY },
      (gallery) => withLikeCount(gallery, designId, liked),
    );
    client.setQueriesData<{ likeCount: number }>(
      { queryKey: [...SHARED_DESIGN_KEY, designId] },
      (design) => design && { ...design, likeCount: likeCountAfter(design.likeCount, liked) },
    );
  }

  return useMutation({
    mutationFn: setLike,
    onMutate: async (like) => {
      // A response that is still in flight does not contain this like.
      await client.cancelQueries({ queryKey: myLikesKey(like.userId) });
      show(like);
    },
    onError: (_error, like) => show({ ...like, liked: !like.liked }),
  });
}
