import { useQueryClient } from "@tanstack/react-query";
import { PasswordForm } from "@/components/forms/password-form";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { notify } from "@/lib/errors/notify";
import { useUser } from "@/lib/session/session-provider";
import { hasPasswordQuery } from "../api/has-password";

interface PasswordDialogProps {
  /** The account has none so far. */
  isFirst: boolean;
  open: boolean;
  onClose: () => void;
}

export function PasswordDialog({ isFirst, open, onClose }: PasswordDialogProps) {
  const user = useUser();
  const client = useQueryClient();

  function done() {
    onClose();
    notify("Password saved!", "You stay signed in here, and were signed out everywhere else.");
    void client.invalidateQueries({ queryKey: hasPasswordQuery(user.id).queryKey });
  }

  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent>
        <DialogTitle>{isFirst ? "Set a password" : "Change your password"}</DialogTitle>
        <DialogDescription>
          For <strong className="break-all text-ink">{user.email}</strong>. You stay signed in here;
          everywhere else it signs you out.
        </DialogDescription>
        <PasswordForm email={user.email} onDone={done} />
      </DialogContent>
    </Dialog>
  );
}
