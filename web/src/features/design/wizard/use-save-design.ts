/** Result → saving → the mockup page, which follows how the print product is made. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { imageSource } from "@/lib/browser/image-source";
import { ConnectionError, errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useUser } from "@/lib/session/session-provider";
import { cleanText } from "@/lib/text/visible-text";
import type { ColorGroup } from "@/shop/catalog/variants";
import { useMakeProduct } from "@/shop/designs/use-make-product";
import { DESIGNS_KEY } from "@/shop/query-keys";
import { makeThumbnail, withoutPrefix } from "../pictures";
import { type BegunUpload, savePicture } from "./save-picture";

const LONGEST_NAME = 2000;

interface Draft {
  name: string;
  image: string;
  color: ColorGroup;
  style: string | null;
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

/** `jobId`: the job that has drawn it. */
export function useSaveDesign(onSaved: () => void, jobId: string | null) {
  const user = useUser();
  const client = useQueryClient();
  const navigate = useNavigate();
  const begun = useRef<BegunUpload>(undefined);
  const [sent, setSent] = useState(0);
  const product = useMakeProduct();

  async function saveDesign(draft: Draft): Promise<string> {
    const design = {
      userId: user.id,
      name: designName(draft.name),
      picture: withoutPrefix(draft.image),
      thumbnail: await thumbnailOf(draft),
      selectedColors: [draft.color.variant.id],
      style: draft.style,
      jobId,
    };
    return savePicture(design, {
      begun: begun.current,
      onBegun: (upload) => {
        begun.current = upload;
      },
      onProgress: setSent,
    });
  }

  const saving = useMutation({
    mutationFn: saveDesign,
    onMutate: () => setSent(0),
    onSuccess: async (designId, { color }) => {
      notify("Design Saved!", "Your design has been saved successfully!");
      product.mutate({ designId, selectedColors: [color.variant.id] });
      void client.invalidateQueries({ queryKey: DESIGNS_KEY });
      onSaved();
      await navigate(`/mockup?design=${designId}`);
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
