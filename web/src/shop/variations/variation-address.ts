/** Pictures that are compared, by their jobs, in the page's address. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { isUuid } from "@/lib/text/is-uuid";
import { MOST_VARIATIONS } from "./use-variations";

const NAME = "with";

export function useVariationIds() {
  const [search, setSearch] = useSearchParams();
  const list = search.get(NAME) ?? "";
  const ids = useMemo(
    () => [...new Set(list.split(".").filter(isUuid))].slice(0, MOST_VARIATIONS + 3),
    [list],
  );
  const setIds = useCallback(
    (next: readonly string[]) =>
      setSearch((current) => written(new URLSearchParams(current), next), {
        replace: true,
        preventScrollReset: true,
      }),
    [setSearch],
  );
  return { ids, setIds, write: written };
}

function written(search: URLSearchParams, ids: readonly string[]): URLSearchParams {
  if (ids.length > 0) search.set(NAME, ids.join("."));
  else search.delete(NAME);
  return search;
}
