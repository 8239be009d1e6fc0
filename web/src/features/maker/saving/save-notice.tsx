import { Check, CloudOff, TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { SaveStatus } from "./scene-saver";

/** Whether the shop has what is drawn, in a word. */
export function SaveNotice({ status }: { status: SaveStatus }) {
  return (
    <p role="status" className="flex min-h-6 items-center gap-1.5 text-sm text-ink-soft">
      {status.kind === "saved" ? (
        <>
          <Check aria-hidden="true" className="size-4 text-mint-text" />
          Saved
        </>
      ) : null}
      {status.kind === "saving" ? (
        <>
          <Spinner />
          Saving...
        </>
      ) : null}
      {status.kind === "offline" ? (
        <>
          <CloudOff aria-hidden="true" className="size-4" />
          Kept on this device; saved when you're back online
        </>
      ) : null}
      {status.kind === "failed" ? (
        <>
          <TriangleAlert aria-hidden="true" className="size-4 text-tomato-text" />
          {status.message}
        </>
      ) : null}
    </p>
  );
}

interface ConflictProps {
  onResolve: (keep: "mine" | "theirs") => void;
  busy: boolean;
}

export function Conflict({ onResolve, busy }: ConflictProps) {
  return (
    <div
      role="alert"
      className="mb-6 flex flex-wrap items-center justify-between gap-4 rounded-card border border-sunflower-text bg-raised p-4"
    >
      <p className="max-w-prose text-sm">
        <strong className="block font-semibold">This shirt was changed somewhere else</strong>
        Another tab or device has saved it since. What you do here is not saved until you choose
        which one stays.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" disabled={busy} onClick={() => onResolve("theirs")}>
          Show the other one
        </Button>
        <Button size="sm" disabled={busy} onClick={() => onResolve("mine")}>
          Keep this one
        </Button>
      </div>
    </div>
  );
}
