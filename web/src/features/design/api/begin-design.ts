/** begin-design: a design that begins as an empty shirt; its id. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import { invokeFunction } from "@/lib/supabase/invoke-function";
import { DESIGNS_KEY } from "@/shop/query-keys";

async function beginDesign(selectedColors: string[]): Promise<string> {
  const response = await invokeFunction({
    slug: "begin-design",
    body: { selectedColors },
    schema: z.object({ designId: z.string() }),
    fallback: "The shirt could not be laid out. Please try again.",
  });
  return response.designId;
}

export function useBeginDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: beginDesign,
    onSuccess: () => client.invalidateQueries({ queryKey: DESIGNS_KEY }),
  });
}
