import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { useZoom } from "./use-zoom";

interface EnlargedPictureProps {
  open: boolean;
  onClose: () => void;
  source: string;
  alt: string;
  title: string;
  /** One view on, or back. */
  onTurn: (by: 1 | -1) => void;
}

/** The picture over the whole page: arrows turn the shirt, plus and minus enlarge it further. */
export function EnlargedPicture({ open, onClose, ...picture }: EnlargedPictureProps) {
  return (
    <Dialog open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      {open ? (
        <DialogContent className="max-w-[min(94vw,84dvh)] gap-3 p-3 sm:p-4">
          <Picture {...picture} />
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

function Picture({ source, alt, title, onTurn }: Omit<EnlargedPictureProps, "open" | "onClose">) {
  const { frame, zoom, zoomIn, zoomOut, fit, mayZoomIn, mayZoomOut } = useZoom();

  function press(event: KeyboardEvent) {
    const keys: Record<string, () => void> = {
      "+": zoomIn,
      "=": zoomIn,
      "-": zoomOut,
      "0": fit,
      // of a picture that is wider than its frame they show the rest
      ...(zoom === 1 && { ArrowRight: () => onTurn(1), ArrowLeft: () => onTurn(-1) }),
    };
    keys[event.key]?.();
  }

  return (
    <>
      <DialogTitle className="flex h-9 items-center text-base tracking-normal">{title}</DialogTitle>
      <DialogDescription className="sr-only">
        Arrow keys turn the shirt. Plus and minus enlarge the picture and make it smaller.
      </DialogDescription>
      <section
        ref={frame}
        data-first
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled is reached by keyboard
        tabIndex={0}
        aria-label="Enlarged picture"
        onKeyDown={press}
        className="aspect-square w-full touch-pan-x touch-pan-y overflow-auto rounded-lg bg-sunk"
      >
        <img
          src={source}
          alt={alt}
          width={1200}
          height={1200}
          onDoubleClick={zoom > 1 ? fit : zoomIn}
          style={{ width: `${zoom * 100}%` }}
          className="aspect-square max-w-none object-contain"
        />
      </section>
      <div className="flex items-center justify-between gap-2">
        <div className="flex gap-1">
          <Button variant="ghost" size="icon" aria-label="Previous view" onClick={() => onTurn(-1)}>
            <ChevronLeft aria-hidden="true" />
          </Button>
          <Button variant="ghost" size="icon" aria-label="Next view" onClick={() => onTurn(1)}>
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
        <div className="flex gap-1">
          <Button
            variant="ghost"
            size="icon"
            aria-label="Smaller"
            disabled={!mayZoomOut}
            onClick={zoomOut}
          >
            <ZoomOut aria-hidden="true" />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label="Larger"
            disabled={!mayZoomIn}
            onClick={zoomIn}
          >
            <ZoomIn aria-hidden="true" />
          </Button>
        </div>
      </div>
    </>
  );
}
