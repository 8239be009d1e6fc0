import type { User } from "@supabase/supabase-js";
import { useMutation, useQueryClient } from "@tanstack/react-query";

export const isBanned = (user: User) =>
  user.banned_until !== undefined && new Date(user.banned_until) > new Date();

/** A change of users, after which every list of them is read anew. */
export function useChange<T = void>(change: (argument: T) => Promise<unknown>, after?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["users-page"] }),
        client.invalidateQueries({ queryKey: ["users"] }),
        client.invalidateQueries({ queryKey: ["user"] }),
      ]);
      after?.();
    },
  });
}
