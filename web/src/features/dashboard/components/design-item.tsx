import { Link2, Pencil, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { ImageFrame } from "@/components/image-frame";
import { NewLink } from "@/components/new-link";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { imageSource } from "@/lib/browser/image-source";
import { useIsKept } from "@/lib/drafts/use-drafts";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { formatDate } from "@/lib/text/format";
import { shareDesignLink } from "@/shop/designs/share-link";
import { useDeleteDesign } from "../api/delete-design";
import type { DesignRow } from "../api/list-designs";
import { RenameForm, renameDraft } from "./rename-form";
import { RetryProduct } from "./retry-product";
import { VisibilityToggle } from "./visibility-toggle";

function statusText({ isTakenDown, ready }: DesignRow): string {
  if (isTakenDown) return "Taken down";
  return ready ? "Ready for order" : "Processing";
}

export function DesignItem({ design }: { design: DesignRow }) {
  const [renaming, setRenaming] = useState(useIsKept(renameDraft(design.id)));
  const [deleting, setDeleting] = useState(false);
  const [madePrivate, setMadePrivate] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const remove = useDeleteDesign();

  // Awaited, because callbacks of mutate() fall silent when their row is gone, as this one then is.
  async function confirmDelete() {
    try {
      await remove.mutateAsync(design.id);
      notify("Design deleted", "Your design has been successfully deleted.");
    } catch {
      notifyProblem("Error", "Failed to delete design. Please try again.");
    }
  }

  return (
    <li className="group relative grid grid-cols-[4.5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-1 p-3 hover:bg-sunk/60 sm:grid-cols-[4.5rem_minmax(0,1fr)_auto]">
      <ImageFrame
        sources={[imageSource(design.thumbnail)]}
        alt=""
        empty={<span className="text-xs">No preview</span>}
        size={72}
        className="row-span-2 sm:row-span-1"
      />
      {renaming ? (
        <RenameForm
          design={design}
          onDone={() => {
            setRenaming(false);
            renameButton.current?.focus();
          }}
        />
      ) : (
        <div className="min-w-0">
          {/* The link covers the whole row; the actions lie above it. */}
          <Link
            to={`/mockup?design=${design.id}`}
            className="block truncate font-semibold after:absolute after:inset-0 group-hover:underline"
          >
            {design.name}
          </Link>
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-soft tabular-nums">
            {formatDate(design.createdAt)} · {statusText(design)}
            {design.ready ? null : <RetryProduct design={design} />}
          </p>
          {design.isTakenDown ? (
            <p className="text-xs text-ink-soft">
              Only you can see it. We have written to you why; answer that mail if we are wrong.
            </p>
          ) : null}
          {design.ready ? null : (
            <p className="text-xs text-ink-soft">
              Your design is safe. If this takes more than a minute, try again.
            </p>
          )}
          {/* The link was public and continues to work: say so when a design is made private. */}
          <p role="status" className="text-sm font-semibold">
            {madePrivate && !design.linkKey ? "Anyone with the link can still see it." : null}
          </p>
          {madePrivate && !design.linkKey ? (
            <span className="relative z-10 text-sm">
              <NewLink designId={design.id} />
            </span>
          ) : null}
        </div>
      )}
      <div className="relative z-10 -ml-3 flex items-center max-[22rem]:col-span-2 max-[22rem]:justify-self-end sm:ml-0">
        {design.isTakenDown ? null : (
          <>
            <VisibilityToggle design={design} onChanged={setMadePrivate} />
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Copy link: ${design.name}`}
              onClick={() => shareDesignLink(design.id, undefined, design.linkKey)}
            >
              <Link2 aria-hidden="true" />
            </Button>
          </>
        )}
        <Button
          variant="ghost"
          size="icon"
          ref={renameButton}
          aria-label={`Rename: ${design.name}`}
          onClick={() => setRenaming(true)}
        >
          <Pencil aria-hidden="true" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Delete: ${design.name}`}
          busy={remove.isPending}
          onClick={() => setDeleting(true)}
        >
          {remove.isPending ? null : <Trash2 aria-hidden="true" />}
        </Button>
      </div>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete this design?"
        description={`“${design.name}” will be gone for good. Orders that you have placed with it are not affected.`}
        confirm="Delete"
        onConfirm={confirmDelete}
      />
    </li>
  );
}
