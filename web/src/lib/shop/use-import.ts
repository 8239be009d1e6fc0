/** 'Use This Design': a copy of it, then its mockup. Anonymous visitors sign in first and come back with `import=true`. */
import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { notify, notifyProblem } from "@/lib/notify";
import { signInPath } from "@/lib/redirect";
import { useSession } from "@/lib/session/session-provider";
import { useImportDesign } from "./import-design";

export function useImport(designId: string) {
  const { user } = useSession();
  const navigate = useNavigate();
  const { mutate, isPending } = useImportDesign();
  const userId = user?.id;

  const importNow = useCallback(() => {
    if (!userId) {
      void navigate(signInPath({ pathname: `/design/${designId}`, search: "?import=true" }));
      return;
    }
    mutate(
      { originalDesignId: designId, userId },
      {
        onSuccess: (newId) => {
          notify("Design Imported!", "The design has been added to your collection.");
          void navigate(`/mockup?design=${newId}`);
        },
        onError: () => notifyProblem("Import Failed", "Failed to import design. Please try again."),
      },
    );
  }, [designId, userId, mutate, navigate]);

  return { importing: isPending, importNow };
}
