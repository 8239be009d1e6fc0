import { cn } from "@/lib/text/cn";
import { Tee } from "./print/tee";

interface ShirtPreviewProps {
  color: string;
  picture: string | undefined;
  alt: string;
  onBroken?: () => void;
  /** The print appears with a wipe, as under a squeegee. */
  reveal?: boolean;
  /** Without the shadow, for small ones. */
  flat?: boolean;
  className?: string;
}

/**
 * A picture laid on the chest of a drawn shirt, where it will be printed: three fifths of the shirt's width without the
 * picture's margins, and high.
 */
export function ShirtPreview(props: ShirtPreviewProps) {
  const { color, picture, alt, onBroken, reveal, flat, className } = props;
  return (
    <div className={cn("relative", className)}>
      <Tee
        color={color}
        className={cn("w-full", !flat && "drop-shadow-[7px_7px_0_var(--plate)]")}
      />
      {picture ? (
        <img
          src={picture}
          alt={alt}
          width={400}
          height={400}
          fetchPriority={flat ? "low" : "auto"}
          onError={onBroken}
          className={cn(
            "absolute top-[17%] left-[31.5%] aspect-square w-[37%] object-contain object-top",
            reveal && "wipe-in",
          )}
        />
      ) : null}
    </div>
  );
}
