/** Result → saving → the mockup page. A design is saved even if its print product failed. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { ConnectionError, errorMessage } from "@/lib/errors";
import { imageSource } from "@/lib/image-source";
import { notify, notifyInfo, notifyProblem } from "@/lib/notify";
import { useUser } from "@/lib/session/session-provider";
import { cleanText } from "@/lib/visible-text";
import { createPrintifyProduct } from "@/shop/create-printify-product";
import type { ColorGroup } from "@/shop/variants";
import { makeThumbnail, withoutPrefix } from "../pictures";
import { type BegunUpload, savePicture } from "./save-picture";

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

interface SavedDesign {
  id: string;
  printable: boolean;
  warnings: string[];
}

async function makePrintable(id: string, selectedColors: string[]): Promise<SavedDesign> {
  try {
    // the function reads the stored picture
    const product = { designId: id, imageBase64: "", selectedColors };
    return { id, printable: true, warnings: await createPrintifyProduct(product) };
  } catch (error) {
    console.warn("The print product could not be made:", error);
    return { id, printable: false, warnings: [] };
  }
}

export function useSaveDesign(onSaved: () => void) {
  const user = useUser();
  const client = useQueryClient();
  const navigate = useNavigate();
  const begun = useRef<BegunUpload>(undefined);
  const [sent, setSent] = useState(0);

  async function saveDesign(draft: Draft): Promise<SavedDesign> {
    const selectedColors = [draft.color.variant.id];
    const design = {
      userId: user.id,
      name: designName(draft.name),
      picture: withoutPrefix(draft.image),
      thumbnail: await thumbnailOf(draft),
      selectedColors,
    };
    const id = await savePicture(design, {
      begun: begun.current,
      onBegun: (upload) => {
        begun.current = upload;
      },
      onProgress: setSent,
    });
    return makePrintable(id, selectedColors);
  }

  const saving = useMutation({
    mutationFn: saveDesign,
    onMutate: () => setSent(0),
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
    onError: (error) => {
      // Without a response the upload may exist; a rejected upload starts again.
      if (!(error instanceof ConnectionError)) begun.current = undefined;
      notifyProblem("Save Error", errorMessage(error, "Error saving design"));
    },
  });

  return {
    saving: saving.isPending,
    /** How much of the picture has been sent, from 0 to 1. */
    sent,
    save(draft: Omit<Draft, "color"> & { color: ColorGroup | undefined }) {
      if (!draft.color) {
        notifyProblem("Color & Size Required", "Please select at least one color and size.");
        return;
      }
      saving.mutate({ ...draft, color: draft.color });
    },
  };
}
