import { useState } from "react";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import type { PictureLayer } from "@/shop/scene/scene";
import { useMendPicture } from "../api/mend-picture";
import type { Picture } from "../stage/pictures";

interface BackgroundChoiceProps {
  designId: string;
  layer: PictureLayer;
  picture: Picture;
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
  /** Another picture in this one's place, where that is still there. */
  onSwap: (from: string, to: string) => void;
}

const PRESSED = "aria-pressed:bg-ink aria-pressed:text-paper";
const VECTOR = "This picture is made of shapes: it has no background to cut out.";
const UNSAVED = "Your last changes have not reached the shop. Please try again.";
const FAILED = "The background could not be cut out. Please try again.";

/** Cuts a background of one color out of a picture, and brings the picture back as it was. */
export function BackgroundChoice(props: BackgroundChoiceProps) {
  const { designId, layer, picture, flush, onSwap } = props;
  const mending = useMendPicture();
  const [refused, setRefused] = useState<{ source: string; why: string }>();
  const isOff = picture.cutFrom !== undefined;
  const why = picture.isVector ? VECTOR : refused?.source === layer.source ? refused.why : "";

  async function cutOut() {
    setRefused(undefined);
    try {
      const revision = await flush();
      if (revision === undefined) {
        setRefused({ source: layer.source, why: UNSAVED });
        return;
      }
      const wish = { designId, revision, layer: layer.id, mend: "cut_out" };
      onSwap(layer.source, await mending.mutateAsync(wish));
    } catch (error) {
      setRefused({ source: layer.source, why: errorMessage(error, FAILED) });
    }
  }

  return (
    <fieldset
      aria-label="Background"
      className="flex min-w-0 flex-col gap-2 border-t border-line pt-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-sm font-semibold">Background</p>
        <div className="flex gap-2">
          <Button
            variant="secondary"
            size="sm"
            className={PRESSED}
            aria-pressed={!isOff}
            disabled={mending.isPending}
            onClick={() => {
              if (picture.cutFrom) onSwap(layer.source, picture.cutFrom);
            }}
          >
            On
          </Button>
          <Button
            variant="secondary"
            size="sm"
            className={PRESSED}
            aria-pressed={isOff}
            busy={mending.isPending}
            disabled={picture.isVector}
            onClick={isOff ? undefined : () => void cutOut()}
          >
            Off
          </Button>
        </div>
      </div>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {why}
      </p>
    </fieldset>
  );
}
