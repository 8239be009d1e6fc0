import { useQuery } from "@tanstack/react-query";
import { RadioGroup } from "radix-ui";
import { memo, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/lib/text/cn";
import { FACES, type FaceInfo } from "@/shop/scene/faces";
import { outline } from "@/shop/scene/lettering";
import { useStable } from "../parts/use-stable";
import { faceQuery } from "../stage/face-query";

const SAMPLE = { kind: "lettering", id: "sample", x: 0, y: 0, scale: 1, angle: 0 } as const;

interface FaceChoiceProps {
  chosen: string;
  onChoose: (face: string) => void;
}

/** Every face, its name written in itself. One stop of the Tab key; the arrow keys try one after another. */
export function FaceChoice({ chosen, onChoose }: FaceChoiceProps) {
  return <Faces chosen={chosen} onChoose={useStable(onChoose)} />;
}

const Faces = memo(function Faces({ chosen, onChoose }: FaceChoiceProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const face = list.current?.querySelector<HTMLElement>("[aria-checked=true]");
    if (face && list.current) list.current.scrollTop = face.offsetTop - 60;
  }, []);

  return (
    <div className="flex flex-col gap-1.5">
      <p id={id} className="text-sm font-semibold">
        Face
        <span className="ml-2 font-normal text-ink-soft">
          {FACES.find((face) => face.id === chosen)?.name}
        </span>
      </p>
      <RadioGroup.Root
        ref={list}
        value={chosen}
        onValueChange={onChoose}
        aria-labelledby={id}
        className="min-w-0 relative grid max-h-56 grid-cols-2 gap-1.5 overflow-y-auto rounded-lg border border-line bg-sunk p-1.5"
      >
        {FACES.map((face) => (
          <RadioGroup.Item
            key={face.id}
            value={face.id}
            aria-label={`${face.name}, ${face.kind}`}
            className={cn(
              "flex h-12 min-w-0 items-center justify-center rounded-md border base:border-transparent bg-raised px-2 hover:border-ink",
              face.id === chosen && "border-ink ring-1 ring-ink",
            )}
          >
            <Sample face={face} />
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
});

/** The face is loaded once it comes into view. */
const Sample = memo(function Sample({ face }: { face: FaceInfo }) {
  const place = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  const file = useQuery({ ...faceQuery(face.id), enabled: seen });

  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  if (!file.data) {
    return (
      <span ref={place} className="truncate text-sm text-ink-soft">
        {face.name}
      </span>
    );
  }
  const { path, width, height } = outline(
    { ...SAMPLE, text: face.name, face: face.id, color: "#000000" },
    file.data,
  );
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="max-h-7 w-full">
      <path d={path} fill="currentColor" />
    </svg>
  );
});
