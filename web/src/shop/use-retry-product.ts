/** Requests the print product of a saved design again after the first request failed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { notify, notifyInfo, notifyProblem } from "@/lib/notify";
import { createPrintifyProduct } from "./create-printify-product";
import { getDesign } from "./get-design";

async function retryProduct(designId: string): Promise<string[]> {
  const design = await getDesign(designId);
  return createPrintifyProduct({
    designId,
    // the function reads the stored picture itself
    imageBase64: "",
    selectedColors: design.selected_colors ?? [],
  });
}

export function useRetryProduct(designId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => retryProduct(designId),
    onSuccess: async (warnings) => {
      await client.invalidateQueries({ queryKey: ["design", designId] });
      await client.invalidateQueries({ queryKey: ["designs"] });
      notify("Design Saved!", "Your design has been saved successfully!");
      for (const warning of warnings) notifyInfo("About this print", warning);
    },
    onError: () =>
      notifyProblem(
        "Design Saved",
        "There was an issue processing your design. You can retry later.",
      ),
  });
}
