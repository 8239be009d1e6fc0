/** Asks again for the print product of a saved design whose first try failed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { imageSource } from "@/lib/image-source";
import { notify, notifyProblem } from "@/lib/notify";
import { createPrintifyProduct } from "@/lib/shop/create-printify-product";
import type { Design } from "@/lib/shop/get-design";

export function useRetryProduct(design: Design) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      createPrintifyProduct({
        designId: design.id,
        imageBase64: (imageSource(design.image_data) ?? "").replace(/^data:[^,]*,/, ""),
        selectedColors: design.selected_colors ?? [],
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["design", design.id] });
      await client.invalidateQueries({ queryKey: ["designs"] });
      notify("Design Saved!", "Your design has been saved successfully!");
    },
    onError: () =>
      notifyProblem(
        "Design Saved",
        "There was an issue processing your design. You can retry later.",
      ),
  });
}
