/** Result → saving → the mockup page. A design is saved even if its print product failed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { errorMessage } from "@/lib/errors";
import { imageSource } from "@/lib/image-source";
import { notify, notifyInfo, notifyProblem } from "@/lib/notify";
import { useUser } from "@/lib/session/session-provider";
import { cleanText } from "@/lib/visible-text";
import { createPrintifyProduct } from "@/shop/create-printify-product";
import type { ColorGroup } from "@/shop/variants";
import { insertDesign } from "../api/insert-design";
import { makeThumbnail, withoutPrefix } from "../pictures";

const LONGEST_NAME = 2000;

interface Draft {
  name: string;
  image: string;
  color: ColorGroup;
}

export function designName(name: string): string {
  return cleanText(name).slice(0, LONGEST_NAME) || "Untitled Design";
}

async function thumbnailOf({ image, color }: Draft): Promise<string | null> {
  try {
    return await makeThumbnail(imageSource(image) ?? "", color.hex);
  } catch (error) {
    console.warn("The thumbnail could not be made:", error);
    return null;
  }
}

async function saveDesign(
  userId: string,
  draft: Draft,
): Promise<{ id: string; printable: boolean; warnings: string[] }> {
  const imageBase64 = withoutPrefix(draft.image);
  const selectedColors = [draft.color.variant.id];
  const id = await insertDesign({
    user_id: userId,
    name: designName(draft.name),
    image_data: imageBase64,
    thumbnail_data: await thumbnailOf(draft),
    selected_colors: selectedColors,
  });
  try {
    const warnings = await createPrintifyProduct({ designId: id, imageBase64, selectedColors });
    return { id, printable: true, warnings };
  } catch (error) {
    console.warn("The print product could not be made:", error);
    return { id, printable: false, warnings: [] };
  }
}

export function useSaveDesign(onSaved: () => void) {
  const user = useUser();
  const client = useQueryClient();
  const navigate = useNavigate();
  const saving = useMutation({
    mutationFn: (draft: Draft) => saveDesign(user.id, draft),
    onSuccess: async ({ id, printable, warnings }) => {
      if (printable) notify("Design Saved!", "Your design has been saved successfully!");
      else
        notifyProblem(
          "Design Saved",
          "There was an issue processing your design. You can retry later.",
        );
      for (const warning of warnings) notifyInfo("About this print", warning);
      void client.invalidateQueries({ queryKey: ["designs"] });
      onSaved();
      await navigate(`/mockup?design=${id}`);
    },
    onError: (error) => notifyProblem("Save Error", errorMessage(error, "Error saving design")),
  });

  return {
    saving: saving.isPending,
    save(draft: Omit<Draft, "color"> & { color: ColorGroup | undefined }) {
      if (!draft.color) {
        notifyProblem("Color & Size Required", "Please select at least one color and size.");
        return;
      }
      saving.mutate({ ...draft, color: draft.color });
    },
  };
}
