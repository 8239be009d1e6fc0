import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useKeptText } from "@/lib/drafts/use-drafts";
import { cleanName } from "@/lib/text/visible-text";

interface PublicNameDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: (name: string) => void;
}

export function PublicNameDialog({ open, onOpenChange, onConfirm }: PublicNameDialogProps) {
  const [name, setName] = useKeptText("public-name");
  const trimmed = cleanName(name);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (trimmed) onConfirm(trimmed);
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>Set Public Display Name</DialogTitle>
        <DialogDescription>
          Public designs carry a name in the gallery. Choose the one that others will see next to
          yours.
        </DialogDescription>
        <form onSubmit={submit} className="flex flex-col gap-5">
          <Field label="Public Display Name">
            {(ids) => (
              <Input
                {...ids}
                value={name}
                onChange={(event) => setName(event.target.value)}
                autoComplete="nickname"
                placeholder="Inky Fingers"
                maxLength={60}
              />
            )}
          </Field>
          <div className="flex justify-end gap-3">
            <Button variant="secondary" onClick={() => onOpenChange(false)}>
              Cancel
            </Button>
            <Button type="submit" disabled={!trimmed}>
              Make Public
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  );
}
