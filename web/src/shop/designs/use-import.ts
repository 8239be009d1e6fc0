/** 'Use This Design': a copy of it, then its mockup. Anonymous visitors sign in first and come back with `import=true`. */
import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { signInPath } from "@/lib/browser/redirect";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useSession } from "@/lib/session/session-provider";
import { useImportDesign } from "./import-design";
import { useLinkKey } from "./link-key";

export function useImport(designId: string) {
  const { user } = useSession();
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useImportDesign();
  const userId = user?.id;
  const linkKey = useLinkKey();

  const importNow = useCallback(async () => {
    if (!userId) {
      const key = linkKey ? `&key=${encodeURIComponent(linkKey)}` : "";
      await navigate(signInPath({ pathname: `/design/${designId}`, search: `?import=true${key}` }));
      return;
    }
    try {
      // Awaited, because callbacks of mutate() fall silent when the dialog was closed meanwhile.
      const newId = await mutateAsync({ originalDesignId: designId, linkKey, userId });
      notify("Design Imported!", "The design has been added to your collection.");
      await navigate(`/mockup?design=${newId}`);
    } catch {
      notifyProblem("Import Failed", "Failed to import design. Please try again.");
    }
  }, [designId, linkKey, userId, mutateAsync, navigate]);

  return { importing: isPending, importNow };
}
