import { ImagePlus, Shapes, Type } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { SHAPES } from "@/shop/scene/shapes";

interface AddBarProps {
  /** The side is full. */
  disabled: boolean;
  onLettering: () => void;
  onPicture: () => void;
  onShape: (shape: string) => void;
}

export function AddBar({ disabled, onLettering, onPicture, onShape }: AddBarProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button variant="secondary" disabled={disabled} onClick={onLettering}>
          <Type aria-hidden="true" />
          Lettering
        </Button>
        <Button variant="secondary" disabled={disabled} onClick={onPicture}>
          <ImagePlus aria-hidden="true" />
          Picture
        </Button>
        <Button
          variant="secondary"
          disabled={disabled}
          aria-expanded={choosing}
          onClick={() => setChoosing(!choosing)}
        >
          <Shapes aria-hidden="true" />
          Shape
        </Button>
      </div>
      {choosing ? (
        <fieldset
          aria-label="Shapes"
          className="min-w-0 grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-1.5"
        >
          {SHAPES.map(({ id, name, ratio, path }) => (
            <button
              key={id}
              type="button"
              aria-label={name}
              title={name}
              onClick={() => {
                setChoosing(false);
                onShape(id);
              }}
              className="grid aspect-square place-items-center rounded-lg border border-line bg-raised hover:border-ink"
            >
              <svg
                viewBox={`0 0 1000 ${Math.max(1000 * ratio, 60)}`}
                aria-hidden="true"
                className="max-h-6 w-6"
              >
                {path ? (
                  <path d={path} transform={`scale(1 ${ratio})`} fill="currentColor" />
                ) : (
                  <rect width="1000" height={1000 * ratio} rx="180" fill="currentColor" />
                )}
              </svg>
            </button>
          ))}
        </fieldset>
      ) : null}
      {disabled ? (
        <p className="text-sm text-ink-soft">This side has as many layers as it can hold.</p>
      ) : null}
    </div>
  );
}
