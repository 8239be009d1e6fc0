/** After another version of a design has come into use: everything that shows the design is read anew. */
import type { QueryClient } from "@tanstack/react-query";
import { designQuery } from "@/shop/designs/get-design";
import { DESIGNS_KEY } from "@/shop/query-keys";
import { versionsQuery } from "./list-versions";

/** Ends when the pages to which one goes from here, the preview and the order, have it too. */
export async function refreshDesign(client: QueryClient, designId: string): Promise<void> {
  void client.invalidateQueries({ queryKey: DESIGNS_KEY });
  await Promise.all([
    client.invalidateQueries({ queryKey: versionsQuery(designId).queryKey }),
    client.invalidateQueries({ queryKey: designQuery(designId).queryKey, refetchType: "all" }),
  ]);
}
