/** Whether a design's print product is being made: by this page, by another, or by the shop after a crash. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { findJobOfDesign } from "./design-jobs";
import { LOOK_MS } from "./follow-job";

export function useProductJob(designId: string, enabled: boolean): boolean {
  const client = useQueryClient();
  const job = useQuery({
    queryKey: ["design-job", designId],
    queryFn: () => findJobOfDesign(designId),
    enabled,
    // a page that is hidden does not look
    refetchInterval: ({ state }) => (state.data?.state === "running" ? LOOK_MS : false),
  });
  const state = job.data?.state;

  useEffect(() => {
    if (enabled && state === "done")
      void client.invalidateQueries({ queryKey: ["design", designId] });
  }, [enabled, state, client, designId]);

  return enabled && state === "running";
}
