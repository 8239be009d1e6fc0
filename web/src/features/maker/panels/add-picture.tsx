import { ImageUp } from "lucide-react";
import { useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Label } from "@/components/ui/field";
import { errorMessage } from "@/lib/errors/errors";
import { useAddArtwork } from "../api/add-artwork";
import { OwnArtwork } from "./own-artwork";

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
const LARGEST = 10 * 1024 * 1024;

interface AddPictureProps {
  open: boolean;
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
  onClose: () => void;
  onAdded: (artwork: { id: string; width: number; height: number }) => void;
}

/** A picture of one's own, printed as it is. */
export function AddPicture({ open, flush, onClose, onAdded }: AddPictureProps) {
  return (
    <Dialog open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      {open ? (
        <DialogContent>
          <DialogTitle>Add a picture</DialogTitle>
          <DialogDescription>
            PNG, JPEG, WebP or SVG, up to 10 MB. It is printed as it is; transparent parts stay
            cloth.
          </DialogDescription>
          <Upload
            onAdded={(artwork) => {
              onAdded(artwork);
              onClose();
            }}
          />
          <OwnArtwork
            flush={flush}
            onAdded={(artwork) => {
              onAdded(artwork);
              onClose();
            }}
          />
        </DialogContent>
      ) : null}
    </Dialog>
  );
}

function Upload({ onAdded }: Pick<AddPictureProps, "onAdded">) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [confirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string>();
  const adding = useAddArtwork();

  function choose(chosen: File | undefined) {
    if (!chosen) return;
    setProblem(problemOf(chosen));
    setFile(problemOf(chosen) ? undefined : chosen);
  }

  function add() {
    if (!file) return;
    setProblem(undefined);
    adding.mutate(
      { file, rightsConfirmed: confirmed },
      {
        onSuccess: onAdded,
        onError: (error) =>
          setProblem(errorMessage(error, "The picture could not be stored. Please try again.")),
      },
    );
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        accept={TYPES.join(",")}
        aria-label="Choose a picture"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        <ImageUp aria-hidden="true" />
        {file ? "Choose another file" : "Choose a file"}
      </Button>
      {file ? <p className="truncate text-sm font-medium">{file.name}</p> : null}
      <div className="flex items-start gap-2.5">
        <Checkbox
          id="artwork-rights"
          checked={confirmed}
          onCheckedChange={(checked) => setConfirmed(checked === true)}
        />
        <Label htmlFor="artwork-rights" className="leading-6 font-normal">
          It is my own, or I have the right to print it.
        </Label>
      </div>
      <FormError message={problem} />
      <Button busy={adding.isPending} disabled={!file || !confirmed} onClick={add}>
        {adding.isPending ? "Adding..." : "Add to the shirt"}
      </Button>
    </>
  );
}

function problemOf(file: File): string | undefined {
  if (!TYPES.includes(file.type))
    return "This kind of file can't be printed from. Take a PNG, JPEG, WebP or SVG.";
  if (file.size > LARGEST) return "This file is larger than 10 MB.";
  return undefined;
}
