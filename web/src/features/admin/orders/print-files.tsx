import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage } from "@/lib/errors/errors";
import { shortId } from "@/lib/text/format";
import { revealText } from "@/lib/text/visible-text";
import { type PrintFile, usePrintFiles } from "../api/list-print-files";

/** What the printer has for an order: each side's file, with its size on the shirts that were bought. */
export function PrintFiles({ orderId }: { orderId: string }) {
  const [open, setOpen] = useState(false);
  const number = shortId(orderId, 6);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Print files of ${number}`}
        onClick={() => setOpen(true)}
      >
        Print files
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        {open ? (
          <DialogContent>
            <DialogTitle>Print files of {number}</DialogTitle>
            <DialogDescription>
              As they were sent to the printer, in centimetres on each size of shirt. The links end
              after ten minutes.
            </DialogDescription>
            <Files orderId={orderId} />
          </DialogContent>
        ) : null}
      </Dialog>
    </>
  );
}

function Files({ orderId }: { orderId: string }) {
  const files = usePrintFiles(orderId);
  if (files.isPending) {
    return (
      <div role="status">
        <span className="sr-only">Loading the print files...</span>
        <Skeleton className="h-28 w-full" />
      </div>
    );
  }
  if (files.isError) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-4">
        <p>{errorMessage(files.error, "The print files could not be loaded.")}</p>
        <Button
          variant="secondary"
          size="sm"
          busy={files.isFetching}
          onClick={() => files.refetch()}
        >
          Try Again
        </Button>
      </div>
    );
  }
  if (files.data.length === 0) return <p>Neither the printer nor the shop has a file any more.</p>;
  return (
    <ul className="flex flex-col gap-5">
      {files.data.map((file) => (
        <File key={`${file.name} ${file.side} ${file.address}`} file={file} />
      ))}
    </ul>
  );
}

function File({ file }: { file: PrintFile }) {
  const side = file.side === "front" ? "Front" : "Back";
  return (
    <li className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4">
      {file.address ? (
        <img
          src={file.address}
          alt=""
          width={112}
          height={128}
          className="halftone h-32 w-28 rounded-lg border border-line object-contain p-1"
        />
      ) : (
        <span className="flex h-32 w-28 items-center justify-center rounded-lg border border-line p-2 text-center text-sm text-ink-soft">
          No file kept
        </span>
      )}
      <div className="min-w-0">
        <h3 className="text-base tracking-tight">{side}</h3>
        <p className="truncate text-ink-soft">{revealText(file.name)}</p>
        <ul className="mt-1 tabular-nums">
          {file.sizes.map(({ shirt, width_cm, height_cm }) => (
            <li key={shirt}>
              {shirt}: {width_cm.toFixed(1)} × {height_cm.toFixed(1)} cm
            </li>
          ))}
        </ul>
        {file.address ? (
          <a
            href={file.address}
            target="_blank"
            rel="noreferrer"
            className="text-cobalt-text underline underline-offset-4"
          >
            Open the file<span className="sr-only"> (opens in a new tab)</span>
          </a>
        ) : null}
      </div>
    </li>
  );
}
