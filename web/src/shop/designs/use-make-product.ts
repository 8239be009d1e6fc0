/** Makes the print product of a saved design. It goes on, and says how it ended, wherever the user is by then. */
import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { notify, notifyInfo, notifyProblem } from "@/lib/errors/notify";
import { DESIGNS_KEY } from "../query-keys";
import { createPrintifyProduct } from "./create-printify-product";
import { designQuery, getDesign } from "./get-design";
import { productJobQuery } from "./use-product-job";

const KEY = ["print-product"];

interface SavedDesign {
  designId: string;
  /** Unknown where an earlier attempt failed: that this one succeeds is news. */
  selectedColors?: string[];
}

async function makeProduct({ designId, selectedColors }: SavedDesign): Promise<string[]> {
  const colors = selectedColors ?? (await getDesign(designId)).selected_colors ?? [];
  // the function reads the stored picture
  return createPrintifyProduct({ designId, imageBase64: "", selectedColors: colors });
}

export function useMakeProduct() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: KEY,
    mutationFn: makeProduct,
    onSuccess: (warnings, { selectedColors }) => {
      if (!selectedColors) notify("Design Saved!", "Your design has been saved successfully!");
      for (const warning of warnings) notifyInfo("About this print", warning);
    },
    onError: (error) => {
      console.warn("The print product could not be made:", error);
      notifyProblem(
        "Design Saved",
        "There was an issue processing your design. You can retry later.",
      );
    },
    onSettled: (_warnings, _error, { designId }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: designQuery(designId).queryKey }),
        client.invalidateQueries({ queryKey: productJobQuery(designId).queryKey }),
        client.invalidateQueries({ queryKey: DESIGNS_KEY }),
      ]),
  });
}

/** Whether this tab is waiting for the design's print product. */
export function useIsMaking(designId: string): boolean {
  const designs = useMutationState({
    filters: { mutationKey: KEY, status: "pending" },
    select: ({ state }) => (state.variables as SavedDesign).designId,
  });
  return designs.includes(designId);
}
