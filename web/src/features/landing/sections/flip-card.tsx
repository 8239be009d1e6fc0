import { RotateCw } from "lucide-react";
import { useState } from "react";
import { PictureImage } from "../picture-image";
import type { Picture } from "../pictures";

export interface Example {
  name: string;
  kind: "text" | "photo";
  shirt: Picture;
  /** The shirt in words. */
  shown: string;
  photo?: Picture;
  words: string;
  style: string;
}

const KINDS = { text: "Text to design", photo: "Photo to design" };
const SIZES = "(min-width: 1024px) 290px, (min-width: 640px) 46vw, 92vw";

/** A shirt on the front, where it came from on the back. Turns under the pointer, by touch and by key. */
export function FlipCard({ example }: { example: Example }) {
  const [turned, setTurned] = useState(false);
  return (
    <button
      type="button"
      aria-pressed={turned}
      onClick={() => setTurned(!turned)}
      className="flip-card group block w-full text-left"
    >
      <span className="flip-card-sheet">
        {/* Only the side that faces up is read out. */}
        <span aria-hidden={turned} className="flip-card-face bg-[#efeadf]">
          <PictureImage
            picture={example.shirt}
            sizes={SIZES}
            alt={example.shown}
            className="aspect-square w-full object-cover"
          />
          <span className="flex h-14 shrink-0 items-center justify-between gap-2 border-t border-line bg-raised px-4">
            <span className="font-display text-lg font-bold tracking-tight">{example.name}</span>
            <span className="flex items-center gap-1.5 text-sm text-ink-soft">
              {KINDS[example.kind]}
              <RotateCw aria-hidden="true" className="size-4" />
            </span>
          </span>
        </span>
        <span
          aria-hidden={!turned}
          className="flip-card-face flip-card-back bg-sunflower text-[#1b1714]"
        >
          {example.photo ? (
            <PictureImage
              picture={example.photo}
              sizes={SIZES}
              alt={example.words}
              className="aspect-square w-full object-cover"
            />
          ) : (
            <span className="halftone flex aspect-square w-full flex-col justify-center gap-3 p-6 [--dot:#1b17142e]">
              <span className="text-sm font-semibold">Somebody wrote</span>
              <span className="font-display text-[1.75rem] leading-[1.05] font-extrabold tracking-tight">
                “{example.words}”
              </span>
            </span>
          )}
          <span className="flex h-14 shrink-0 items-center justify-between gap-2 border-t border-[#1b1714] px-4">
            <span className="font-semibold">
              {example.photo ? "Somebody's photo" : "One sentence"}
            </span>
            <span className="text-sm">{example.style}</span>
          </span>
        </span>
      </span>
    </button>
  );
}
