import { Images } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Variations } from "@/components/variations/variations";
import { base64Of } from "@/lib/browser/base64-of";
import { errorMessage } from "@/lib/errors/errors";
import { notifyProblem } from "@/lib/errors/notify";
import { findJob } from "@/shop/designs/design-jobs";
import type { PictureLayer } from "@/shop/scene/scene";
import { type Idea, ideaSchema } from "@/shop/variations/idea";
import { useVariationIds } from "@/shop/variations/variation-address";
import { useAddDrawing } from "../api/add-artwork";
import { useIdea } from "../api/get-idea";
import type { Picture } from "../stage/pictures";
import type { LayerChange } from "../state/edits";

interface MorePicturesProps {
  designId: string;
  layer: PictureLayer;
  cloth: string;
  /** The design's own first picture, which stands for the photo that it began with. */
  original: Picture | undefined;
  onChange: (change: LayerChange) => void;
}

/** Other pictures of the idea that the design was drawn from, to take the place of this one. */
export function MorePictures(props: MorePicturesProps) {
  const idea = useIdea(props.designId);
  const { ids } = useVariationIds();
  const [open, setOpen] = useState(false);
  if (!idea.data) return null;
  return (
    <>
      <Button variant="secondary" className="self-start" onClick={() => setOpen(true)}>
        <Images aria-hidden="true" />
        {ids.length > 0 ? `Variations (${ids.length})` : "Variations"}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open ? (
          <DialogContent className="max-w-2xl">
            <DialogTitle>Variations</DialogTitle>
            <DialogDescription>
              The one that you choose takes this picture's place. Undo brings it back.
            </DialogDescription>
            <Choice {...props} idea={idea.data} onDone={() => setOpen(false)} />
          </DialogContent>
        ) : null}
      </Dialog>
    </>
  );
}

interface ChoiceProps extends MorePicturesProps {
  idea: Idea;
  onDone: () => void;
}

function Choice({ layer, cloth, original, idea, onChange, onDone }: ChoiceProps) {
  const { ids, setIds } = useVariationIds();
  const [chosen, setChosen] = useState<string | null>(null);
  const adding = useAddDrawing();

  function use() {
    if (!chosen) return;
    adding.mutate(chosen, {
      onSuccess: ({ id }) => {
        // as large as the whole of the picture before it
        const scale = layer.scale / (layer.crop?.width ?? 1);
        onChange({ source: id, crop: undefined, scale });
        onDone();
      },
      onError: (error) =>
        notifyProblem("Not on the shirt", errorMessage(error, "Please try again in a moment.")),
    });
  }

  return (
    <>
      <Variations
        ids={ids}
        onIds={setIds}
        chosen={chosen}
        onChoose={(drawn) => setChosen(drawn.id)}
        ideaOf={async () => (chosen ? z.parse(ideaSchema, await findJob(chosen)) : idea)}
        photoOf={async () => {
          if (!original) return undefined;
          const response = await fetch(original.href);
          return base64Of(await response.blob());
        }}
        cloth={cloth}
        disabled={adding.isPending}
      />
      <Button busy={adding.isPending} disabled={!chosen} onClick={use}>
        Use it on the shirt
      </Button>
    </>
  );
}
