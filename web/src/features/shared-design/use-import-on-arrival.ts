/**
 * `?import=true`: imports the design when the visitor comes back from signing in, then removes the parameter. With
 * `order=true` the order follows, in the colour of `color`.
 */
import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { useSession } from "@/lib/session/session-provider";
import type { OrderWish } from "@/shop/designs/use-import";

export function useImportOnArrival(importDesign: (order?: OrderWish) => Promise<void>): void {
  const { loading, user } = useSession();
  const [search, setSearch] = useSearchParams();
  const began = useRef(false);
  const shouldImport = search.get("import") === "true";

  useEffect(() => {
    if (!shouldImport || loading || !user || began.current) return;
    began.current = true;
    const order = search.get("order") === "true" ? { colorId: search.get("color") } : undefined;
    setSearch(
      (current) => {
        for (const name of ["import", "order"]) current.delete(name);
        return current;
      },
      { replace: true },
    );
    void importDesign(order);
  }, [shouldImport, loading, user, search, setSearch, importDesign]);
}
