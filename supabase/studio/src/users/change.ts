import type { User } from "@supabase/supabase-js";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { readAnew } from "../api/read-anew";

export const isBanned = (user: User) =>
  user.banned_until !== undefined && new Date(user.banned_until) > new Date();

/** A change of users, after which every list of them is read anew. */
export function useChange<T = void>(change: (argument: T) => Promise<unknown>, after?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all([
        readAnew(client, ["users-page"]),
        readAnew(client, ["users"]),
        readAnew(client, ["user"]),
      ]);
      after?.();
    },
  });
}
