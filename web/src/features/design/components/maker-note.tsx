import { Pencil } from "lucide-react";
import { madeBy } from "../made-by";

/** Who drew the design, where that was the sample artist: nobody should judge the shop's designs by it. */
export function MakerNote({ image }: { image: string }) {
  const { sampleArtist, remark } = madeBy(image);
  if (!sampleArtist) return null;
  return (
    <p className="flex max-w-md gap-2 text-sm text-ink-soft">
      <Pencil aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        Drawn by the <strong>sample artist</strong>, as this shop has no image model connected: it
        shows how designing works, not how well a model draws. {remark}
      </span>
    </p>
  );
}
