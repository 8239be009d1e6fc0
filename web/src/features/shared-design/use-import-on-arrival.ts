/** `?import=true`: imports the design when the visitor comes back from signing in, then removes the parameter. */
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { useSession } from "@/lib/session/session-provider";

export function useImportOnArrival(importNow: () => Promise<void>): void {
  const { loading, user } = useSession();
  const [search, setSearch] = useSearchParams();
  const began = useRef(false);
  const shouldImport = search.get("import") === "true";

  useEffect(() => {
    if (!shouldImport || loading || !user || began.current) return;
    began.current = true;
    setSearch(
      (current) => {
        current.delete("import");
        return current;
      },
      { replace: true },
    );
    void importNow();
  }, [shouldImport, loading, user, setSearch, importNow]);
}
