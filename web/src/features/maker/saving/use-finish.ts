/** 'Done': the stored draft becomes a version with a print product. It goes on, and says how it ended, wherever the user is. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyInfo, notifyProblem } from "@/lib/errors/notify";
import { productVariantsQuery } from "@/shop/catalog/get-product-variants";
import { finishScene } from "../api/finish-scene";
import { refreshDesign } from "../api/refresh-design";

const FAILED = "The print could not be made. Your drawing is safe: please try again.";

interface Finish {
  designId: string;
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
}

export function useFinish({ designId, flush }: Finish) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const revision = await flush();
      if (revision === undefined) return undefined;
      return finishScene({ designId, revision });
    },
    onSuccess: async (warnings) => {
      if (!warnings) {
        notifyProblem(
          "Not saved yet",
          "Your last changes have not reached the shop. Please try again.",
        );
        return;
      }
      notify("Ready to print", "This is what will be printed.");
      for (const warning of warnings) notifyInfo("About this print", warning);
      await Promise.all([
        refreshDesign(client, designId),
        // the shop learns where the printer shows the back from the first product that has one
        client.invalidateQueries({ queryKey: productVariantsQuery.queryKey }),
      ]);
    },
    onError: (error) => notifyProblem("Print not made", errorMessage(error, FAILED)),
  });
}
