/**
 * The jobs in the page's address, where a reload, the back button and another tab find them: the one that is shown (`?job=`), and
 * those that it is compared with (`&with=`), itself included.
 */
import { useCallback } from "react";
import { useSearchParams } from "react-router-dom";
import { isUuid } from "@/lib/text/is-uuid";
import { useVariationIds } from "@/shop/variations/variation-address";

const NAME = "job";

export function useJobAddress() {
  const [search, setSearch] = useSearchParams();
  const { ids, write } = useVariationIds();
  const jobId = search.get(NAME);
  /** Without `compared` those stay. */
  const setJob = useCallback(
    (id: string | null, compared?: readonly string[]) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current);
          if (id) next.set(NAME, id);
          else next.delete(NAME);
          return compared ? write(next, compared) : next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch, write],
  );
  return { job: isUuid(jobId ?? "") ? jobId : null, compared: ids, setJob };
}
