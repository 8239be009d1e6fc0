/**
 * 'Use This Design': a copy of it, then its mockup. 'Order this shirt': the copy that one has already, or a new one, then its
 * order. Anonymous visitors sign in first and come back with `import=true`.
 */
import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { signInPath } from "@/lib/browser/redirect";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useSession } from "@/lib/session/session-provider";
import { useImportDesign } from "./import-design";
import { useLinkKey } from "./link-key";

/** What follows the import: nothing but the mockup, or the order in a colour (a variant's id). */
export interface OrderWish {
  colorId: string | null | undefined;
}

/** The query of the shared page that imports on arrival. */
function arrivalQuery(order: OrderWish | undefined, linkKey: string | null): string {
  const query = new URLSearchParams({ import: "true" });
  if (order) query.set("order", "true");
  if (order?.colorId) query.set("color", order.colorId);
  if (linkKey) query.set("key", linkKey);
  return `?${query}`;
}

function orderPath(designId: string, { colorId }: OrderWish): string {
  const query = new URLSearchParams({ design: designId });
  if (colorId) query.set("color", colorId);
  return `/order?${query}`;
}

export function useImport(designId: string) {
  const { user } = useSession();
  const navigate = useNavigate();
  const { mutateAsync, isPending, variables } = useImportDesign();
  const userId = user?.id;
  const linkKey = useLinkKey();

  const importDesign = useCallback(
    async (order?: OrderWish) => {
      if (!userId) {
        const search = arrivalQuery(order, linkKey);
        await navigate(signInPath({ pathname: `/design/${designId}`, search }));
        return;
      }
      try {
        // Awaited, because callbacks of mutate() fall silent when the dialog was closed meanwhile.
        const { id, isNew } = await mutateAsync({
          originalDesignId: designId,
          linkKey,
          userId,
          reuse: order !== undefined,
        });
        if (isNew) notify("Design Imported!", "The design has been added to your collection.");
        await navigate(order ? orderPath(id, order) : `/mockup?design=${id}`);
      } catch {
        notifyProblem("Import Failed", "Failed to import design. Please try again.");
      }
    },
    [designId, linkKey, userId, mutateAsync, navigate],
  );

  return {
    importing: isPending && !variables.reuse,
    ordering: isPending && variables.reuse,
    importDesign,
    importNow: () => importDesign(),
    orderNow: (colorId: string | undefined) => importDesign({ colorId }),
  };
}
