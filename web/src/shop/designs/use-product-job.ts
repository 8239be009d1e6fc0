/** Whether a design's print product is being made: by this page, by another, or by the shop after a crash. */
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { findJobOfDesign } from "./design-jobs";
import { LOOK_MS } from "./follow-job";
import { designQuery } from "./get-design";

export function productJobQuery(designId: string) {
  return queryOptions({
    queryKey: ["design-job", designId],
    queryFn: () => findJobOfDesign(designId),
    // a page that is hidden does not look
    refetchInterval: ({ state }) => (state.data?.state === "running" ? LOOK_MS : false),
  });
}

export function useProductJob(designId: string, enabled: boolean): boolean {
  const client = useQueryClient();
  const job = useQuery({ ...productJobQuery(designId), enabled });
  const state = job.data?.state;

  useEffect(() => {
    if (enabled && state === "done")
      void client.invalidateQueries({ queryKey: designQuery(designId).queryKey });
  }, [enabled, state, client, designId]);

  return enabled && state === "running";
}
