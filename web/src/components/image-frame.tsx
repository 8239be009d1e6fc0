import { type ReactNode, useState } from "react";
import { cn } from "@/lib/cn";

interface ImageFrameProps {
  /** Tried in order: when one fails to load, the next is shown. */
  sources: (string | undefined)[];
  alt: string;
  /** What stands in the frame when no source loads. */
  empty: ReactNode;
  size: number;
  eager?: boolean;
  className?: string;
}

/** A square picture whose place is reserved before it arrives. */
export function ImageFrame({ sources, alt, empty, size, eager, className }: ImageFrameProps) {
  const [failed, setFailed] = useState<readonly string[]>([]);
  const source = sources.find((each) => each !== undefined && !failed.includes(each));
  return (
    <div className={cn("relative aspect-square overflow-hidden rounded-lg bg-sunk", className)}>
      {source ? (
        <img
          key={source}
          src={source}
          alt={alt}
          width={size}
          height={size}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          onError={() => setFailed((known) => [...known, source])}
          className="size-full object-contain"
        />
      ) : (
        <div className="grid size-full place-items-center p-2 text-center text-sm text-ink-soft">
          {empty}
        </div>
      )}
    </div>
  );
}
