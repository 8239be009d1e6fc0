import { Ruler, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { inkSize } from "../pictures";
import { type PrintSize, printSize } from "../print-size";

const CENTIMETERS_AN_INCH = 2.54;

/** How the design will print, before it is saved. Nothing while the picture is looked at, or where it cannot be. */
export function PrintNote({ source }: { source: string }) {
  const [size, setSize] = useState<PrintSize | null>(null);
  useEffect(() => {
    let current = true;
    inkSize(source).then(
      (ink) => {
        if (current) setSize(ink && printSize(ink));
      },
      // The picture's own frame says that it is broken.
      () => setSize(null),
    );
    return () => {
      current = false;
    };
  }, [source]);
  if (!size) return null;
  const width = `${size.inches.toFixed(1)} in (${Math.round(size.inches * CENTIMETERS_AN_INCH)} cm)`;
  if (size.low) {
    return (
      <p
        className="flex max-w-md gap-2 rounded-card border border-line bg-sunk p-3 text-sm"
        role="status"
      >
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-tomato-text" />
        <span>
          <strong>Low resolution:</strong> at full size this picture would have {size.fullSizeDpi}{" "}
          DPI, and 150 is the least that looks sharp. It will be printed {width} wide at {size.dpi}{" "}
          DPI instead. A larger picture prints larger.
        </span>
      </p>
    );
  }
  return (
    <p className="flex items-center gap-2 text-sm text-ink-soft">
      <Ruler aria-hidden="true" className="size-4 shrink-0" />
      <span>
        Prints {width} wide at {size.dpi} DPI{size.dpi >= 300 ? ", as sharp as a shirt can be" : ""}
      </span>
    </p>
  );
}
