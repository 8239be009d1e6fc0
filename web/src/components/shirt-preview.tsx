import { cn } from "@/lib/cn";
import { Tee } from "./print/tee";

interface ShirtPreviewProps {
  color: string;
  picture: string | undefined;
  alt: string;
  onBroken?: () => void;
  className?: string;
}

/** A picture laid on the chest of a drawn shirt. */
export function ShirtPreview({ color, picture, alt, onBroken, className }: ShirtPreviewProps) {
  return (
    <div className={cn("relative", className)}>
      <Tee color={color} className="w-full drop-shadow-[7px_7px_0_var(--plate)]" />
      {picture ? (
        <img
          src={picture}
          alt={alt}
          width={400}
          height={400}
          onError={onBroken}
          className="wipe-in absolute top-[23%] left-[29%] aspect-square w-[42%] object-contain"
        />
      ) : null}
    </div>
  );
}
