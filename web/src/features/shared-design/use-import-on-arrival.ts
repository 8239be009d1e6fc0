/** `?import=true`: who comes back from signing in gets the design at once, and the address keeps no trace of it. */
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { useSession } from "@/lib/session/session-provider";

export function useImportOnArrival(importNow: () => Promise<void>): void {
  const { loading, user } = useSession();
  const [search, setSearch] = useSearchParams();
  const began = useRef(false);
  const wanted = search.get("import") === "true";

  useEffect(() => {
    if (!wanted || loading || !user || began.current) return;
    began.current = true;
    setSearch(
      (current) => {
        current.delete("import");
        return current;
      },
      { replace: true },
    );
    void importNow();
  }, [wanted, loading, user, setSearch, importNow]);
}
