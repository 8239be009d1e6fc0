import { notifyProblem } from "@/lib/errors/notify";
import { useSession } from "@/lib/session/session-provider";
import { useMyLikes } from "./list-my-likes";
import { useSetLike } from "./set-like";

/** Which of the designs (page by page) the visitor likes, and the heart's click. */
export function useLikes(pages: string[][]) {
  const { user } = useSession();
  const likes = useMyLikes(user?.id, pages);
  const setLike = useSetLike();

  return {
    isLiked: (designId: string) => likes.has(designId),
    toggle(designId: string) {
      if (!user) {
        notifyProblem("Please log in", "You need to be logged in to like designs.");
        return;
      }
      setLike
        .mutateAsync({ designId, userId: user.id, liked: !likes.has(designId) })
        .catch(() => notifyProblem("Error", "Failed to update like. Please try again."));
    },
  };
}

export type Likes = ReturnType<typeof useLikes>;
