import { ImageUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/text/cn";
import { readPhoto } from "../pictures";

interface PhotoUploadProps {
  /** A data URL, or "" when there is none yet. */
  value: string;
  onChange: (photo: string) => void;
  /** The file that was chosen cannot be used, and why. */
  onProblem: (message: string) => void;
}

const UNREADABLE =
  "This picture can't be opened whole: the file may be damaged, or of a kind that this browser doesn't read. Try it as a JPG or PNG.";

/** By its name where the system knows no type: many do not know HEIC, which phones take pictures in. */
function isPicture({ type, name }: File): boolean {
  return type ? type.startsWith("image/") : /\.(?:heic|heif|avif|jpe?g|png|gif|webp)$/i.test(name);
}

export function PhotoUpload({ value, onChange, onProblem }: PhotoUploadProps) {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef<File>(undefined);
  const [over, setOver] = useState(false);
  const [reading, setReading] = useState(false);

  async function take(file: File | undefined) {
    // Anything but a picture is ignored without a word, as the form says what it takes.
    if (!file || !isPicture(file)) return;
    setReading(true);
    latest.current = file;
    // A large photo is read for seconds: another one may be chosen meanwhile.
    const isLatest = () => latest.current === file;
    try {
      const photo = await readPhoto(file);
      if (isLatest()) onChange(photo);
    } catch (error) {
      console.warn("The photo could not be read:", error);
      if (isLatest()) onProblem(UNREADABLE);
    } finally {
      if (isLatest()) setReading(false);
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the file chooser inside does the same by keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        "relative grid min-h-56 place-items-center rounded-card border-2 base:border-dashed base:border-line-strong base:bg-raised p-5 text-center transition-colors focus-within:border-cobalt-text hover:border-ink",
        over && "border-cobalt bg-sunk",
        value && "border-solid",
      )}
    >
      {value ? (
        <div className="flex flex-col items-center gap-4 sm:flex-row">
          <img
            src={value}
            alt="The one you uploaded"
            width={208}
            height={208}
            className="size-52 rounded-lg object-contain"
          />
          <Button variant="secondary" busy={reading} onClick={() => input.current?.click()}>
            Change
          </Button>
        </div>
      ) : (
        <div className="pointer-events-none flex flex-col items-center gap-2">
          {reading ? (
            <Spinner className="size-8" />
          ) : (
            <ImageUp aria-hidden="true" className="size-9 text-cobalt-text" />
          )}
          <p className="font-semibold">Drop your photo here, or click to choose one</p>
          <p className="text-sm text-ink-soft">JPG, PNG, GIF (max 10MB)</p>
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label="Upload Photo"
        tabIndex={value ? -1 : 0}
        className={cn(
          "absolute inset-0 size-full cursor-pointer opacity-0",
          value && "pointer-events-none",
        )}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </div>
  );
}
