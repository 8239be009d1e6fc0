/**
 * 'Use This Design': anonymous visitors sign in first and come back with `import=true`, which imports by itself,
 * once, and leaves the address without a trace in the history.
 */
import { useCallback, useEffect, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { notify, notifyProblem } from "@/lib/notify";
import { signInPath } from "@/lib/redirect";
import { useSession } from "@/lib/session/session-provider";
import { useImportDesign } from "./api/import-design";

export function useImport(designId: string) {
  const { loading, user } = useSession();
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const { mutate, isPending } = useImportDesign();
  const began = useRef(false);

  const begin = useCallback(() => {
    mutate(designId, {
      onSuccess: (newId) => {
        notify("Design Imported!", "The design has been added to your collection.");
        void navigate(`/mockup?design=${newId}`);
      },
      onError: () => notifyProblem("Import Failed", "Failed to import design. Please try again."),
    });
  }, [designId, mutate, navigate]);

  const wanted = search.get("import") === "true";
  useEffect(() => {
    if (!wanted || loading || !user || began.current) return;
    began.current = true;
    setSearch({}, { replace: true });
    begin();
  }, [wanted, loading, user, setSearch, begin]);

  return {
    importing: isPending,
    importNow() {
      if (user) begin();
      else void navigate(signInPath({ pathname, search: "?import=true" }));
    },
  };
}
