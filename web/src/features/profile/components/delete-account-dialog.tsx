import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { errorMessage } from "@/lib/errors/errors";
import { notify } from "@/lib/errors/notify";
import { useSession } from "@/lib/session/session-provider";
import { policies } from "@/shop/owner-settings";
import { useDeleteAccount } from "../api/delete-account";
import { CodeProof } from "./code-proof";
import { PasswordProof } from "./password-proof";

interface DeleteAccountDialogProps {
  /** Undefined while it is not known. */
  hasPassword: boolean | undefined;
  open: boolean;
  onClose: () => void;
}

export function DeleteAccountDialog({ hasPassword, open, onClose }: DeleteAccountDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent>
        <DialogTitle>Delete your account?</DialogTitle>
        <DialogDescription asChild>
          <ul className="flex list-disc flex-col gap-2 pl-5">
            <li>
              <strong className="text-ink">Gone for good:</strong> your designs with their pictures,
              what you published, your likes, drafts, saved addresses and your way to sign in.
            </li>
            <li>
              <strong className="text-ink">Stays:</strong> the copies that other people made of your
              designs, and your orders and invoices, without an account, as long as tax law demands:
              usually {policies.order_retention}.
            </li>
            <li>
              <strong className="text-ink">Waits:</strong> while an order is paid and not on its
              way, your account stays too.
            </li>
          </ul>
        </DialogDescription>
        <Proof byPassword={hasPassword !== false} />
      </DialogContent>
    </Dialog>
  );
}

function Proof({ byPassword }: { byPassword: boolean }) {
  const { signOut } = useSession();
  const navigate = useNavigate();
  const account = useDeleteAccount();
  const [left, setLeft] = useState(false);
  const failure =
    account.error && errorMessage(account.error, "Your account could not be deleted.");

  function confirm(proof: { password: string } | { code: string }) {
    account.mutate(proof, {
      onSuccess: async () => {
        setLeft(true);
        await signOut();
        void navigate("/", { replace: true });
        notify(
          "Your account is deleted",
          "Thank you for the shirts. You are welcome back any time.",
        );
      },
    });
  }

  const form = {
    busy: account.isPending || left,
    failure: failure ?? undefined,
    onProof: confirm,
  };
  return byPassword ? <PasswordProof {...form} /> : <CodeProof {...form} />;
}
