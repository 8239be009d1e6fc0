import { type ReactNode, useState } from "react";
import { cn } from "@/lib/text/cn";

interface ImageFrameProps {
  /** Tried in order: when one fails to load, the next is shown. */
  sources: (string | undefined)[];
  alt: string;
  /** The frame's content when no source loads. */
  empty: ReactNode;
  size: number;
  /** Shown while the source is on its way, which then fades in over it. */
  standIn?: ReactNode;
  eager?: boolean;
  className?: string;
}

/** A square picture. Its place is reserved before it arrives. */
export function ImageFrame(props: ImageFrameProps) {
  const { sources, alt, empty, size, standIn, eager, className } = props;
  const [failed, setFailed] = useState<readonly string[]>([]);
  const [loaded, setLoaded] = useState<string>();
  const [awaited, setAwaited] = useState<string>();
  const source = sources.find((each) => each !== undefined && !failed.includes(each));
  // Not before the image is known to be on its way: what the server draws is visible.
  const waiting =
    Boolean(standIn) && source !== undefined && awaited === source && loaded !== source;
  return (
    <div
      aria-busy={waiting || undefined}
      className={cn(
        "relative aspect-square overflow-hidden base:rounded-lg base:bg-sunk",
        className,
      )}
    >
      {standIn && source && awaited === source ? (
        <div
          aria-hidden="true"
          className={cn(
            "absolute inset-0 grid place-items-center transition-opacity duration-300 motion-reduce:transition-none",
            !waiting && "opacity-0",
          )}
        >
          {standIn}
        </div>
      ) : null}
      {source ? (
        <img
          key={source}
          src={source}
          alt={alt}
          width={size}
          height={size}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : "auto"}
          decoding={eager ? "sync" : "async"}
          // A cached picture appears at once, without a placeholder and without fading in.
          ref={(image) => {
            if (!image) return;
            const here = image.complete && image.naturalWidth > 0;
            (here ? setLoaded : setAwaited)(source);
          }}
          onLoad={() => setLoaded(source)}
          onError={() => setFailed((previous) => [...previous, source])}
          className={cn(
            "relative size-full object-contain",
            standIn && "transition-opacity duration-300 motion-reduce:transition-none",
            waiting && "opacity-0",
          )}
        />
      ) : (
        <div className="grid size-full place-items-center p-2 text-center text-sm text-ink-soft">
          {empty}
        </div>
      )}
    </div>
  );
}
