import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { useUser } from "@/lib/session/session-provider";
import { useDeleteArtwork } from "../api/delete-artwork";
import { type Artwork, ownArtworkQuery } from "../api/list-artwork";

interface OwnArtworkProps {
  /** Stores the draft; its revision. */
  flush: () => Promise<number | undefined>;
  onAdded: (artwork: Artwork) => void;
}

/** What somebody has brought along before: to use again, or to delete. */
export function OwnArtwork({ flush, onAdded }: OwnArtworkProps) {
  const owner = useUser().id;
  const artwork = useQuery(ownArtworkQuery(owner));
  const deleting = useDeleteArtwork(owner, flush);
  if (!artwork.data?.length) return null;
  return (
    <section
      aria-labelledby="own-artwork"
      className="flex flex-col gap-3 border-t border-line pt-4"
    >
      <div>
        <h3 id="own-artwork" className="text-base">
          Your pictures
        </h3>
        <p className="text-sm text-ink-soft">
          Kept while a shirt shows them; the others go after a while, or at once when you delete
          them.
        </p>
      </div>
      <FormError
        message={
          deleting.error
            ? errorMessage(deleting.error, "The picture could not be deleted. Please try again.")
            : undefined
        }
      />
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-4">
        {artwork.data.map((each, index) => (
          <li key={each.id} className="relative">
            <button
              type="button"
              aria-label={`Use ${nameOf(each, index)}`}
              title={nameOf(each, index)}
              disabled={!each.href}
              onClick={() => onAdded(each)}
              className="halftone grid aspect-square w-full place-items-center rounded-lg border border-line bg-sunk p-2 [--dot:var(--line)] hover:border-ink"
            >
              <img
                src={each.href}
                alt=""
                width={120}
                height={120}
                loading="lazy"
                className="size-full object-contain"
              />
            </button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Delete ${nameOf(each, index)}`}
              disabled={deleting.isPending}
              onClick={() => deleting.mutate(each.id)}
              className="absolute top-1 right-1 size-8 bg-raised/90"
            >
              <Trash2 aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf({ name, isDrawn, cutFrom }: Artwork, index: number): string {
  const kind = isDrawn ? "Drawn picture" : cutFrom ? "Cut-out" : "Picture";
  return name || `${kind} ${index + 1}`;
}
