/** The job in the page's address (`?job=`), where a reload, the back button and another tab find it. */
import { useCallback } from "react";
import { useSearchParams } from "react-router-dom";
import { isUuid } from "@/lib/text/is-uuid";

const NAME = "job";

export function useJobAddress() {
  const [search, setSearch] = useSearchParams();
  const jobId = search.get(NAME);
  const setJob = useCallback(
    (id: string | null) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current);
          if (id) next.set(NAME, id);
          else next.delete(NAME);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
  return { job: isUuid(jobId ?? "") ? jobId : null, setJob };
}
