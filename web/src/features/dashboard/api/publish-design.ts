/** public_designs: a row makes a design public. The public display name is saved first, and only if there is none. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "@/lib/errors";
import { getSupabase } from "@/lib/supabase";

interface Publication {
  designId: string;
  userId: string;
  newPublicName: string | undefined;
}

async function publishDesign({ designId, userId, newPublicName }: Publication): Promise<void> {
  const supabase = await getSupabase();
  if (newPublicName) {
    unwrap(await supabase.from("profiles").update({ public_name: newPublicName }).eq("id", userId));
  }
  unwrap(await supabase.from("public_designs").insert({ design_id: designId, user_id: userId }));
}

export function usePublishDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: publishDesign,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["designs"] }),
        client.invalidateQueries({ queryKey: ["profile"] }),
        client.invalidateQueries({ queryKey: ["gallery"] }),
      ]),
  });
}
