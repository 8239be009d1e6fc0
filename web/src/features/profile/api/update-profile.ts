/** profiles: update the names by id. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors/errors";
import { profileQuery } from "@/lib/session/get-profile";
import { getSupabase } from "@/lib/supabase/client";

interface ProfileChange {
  userId: string;
  name: string;
  publicName: string;
}

async function updateProfile({ userId, name, publicName }: ProfileChange): Promise<void> {
  const supabase = await getSupabase();
  unwrap(
    await supabase
      .from("profiles")
      // Checkout takes its first names from the user name, so it follows the name; it is never emptied.
      .update({
        name: name || null,
        ...(name ? { username: name } : {}),
        public_name: publicName || null,
      })
      .eq("id", userId),
  );
}

export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: updateProfile,
    onSuccess: (_done, { userId }) =>
      client.invalidateQueries({ queryKey: profileQuery(userId).queryKey }),
  });
}
