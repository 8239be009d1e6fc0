import { Check, X } from "lucide-react";
import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { cleanText } from "@/lib/text/visible-text";
import { useRenameDesign } from "../api/rename-design";

interface RenameFormProps {
  design: { id: string; name: string };
  onDone: () => void;
}

export function renameDraft(designId: string): string {
  return `rename:${designId}`;
}

/** Rename in place: Enter saves, Escape cancels. */
export function RenameForm({ design, onDone }: RenameFormProps) {
  const [name, setName] = useKeptText(renameDraft(design.id), design.name);
  const rename = useRenameDesign();

  async function save(event: FormEvent) {
    event.preventDefault();
    const trimmed = cleanText(name);
    if (!trimmed) {
      notifyProblem("Error", "Design name cannot be empty.");
      return;
    }
    try {
      await rename.mutateAsync({ id: design.id, name: trimmed });
      notify("Design updated", "Design name has been successfully updated.");
      onDone();
    } catch {
      notifyProblem("Error", "Failed to update design name. Please try again.");
    }
  }

  return (
    <form onSubmit={save} className="flex min-w-0 flex-1 items-center gap-1">
      <Input
        autoFocus
        aria-label="Design name"
        className="h-10 min-w-0"
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onDone();
        }}
      />
      <Button
        type="submit"
        variant="ghost"
        size="icon"
        aria-label="Save name"
        busy={rename.isPending}
      >
        {rename.isPending ? null : <Check aria-hidden="true" />}
      </Button>
      <Button variant="ghost" size="icon" aria-label="Cancel renaming" onClick={onDone}>
        <X aria-hidden="true" />
      </Button>
    </form>
  );
}
