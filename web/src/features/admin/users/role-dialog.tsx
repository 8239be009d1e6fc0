import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { errorMessage } from "@/lib/errors/errors";
import { useUserEmail } from "../api/get-user-email";

interface RoleDialogProps {
  user: { id: string; name: string; isAdmin: boolean };
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => void;
}

/** Names do not tell two accounts apart: the e-mail address does. */
export function RoleDialog({ user, open, onOpenChange, onConfirm }: RoleDialogProps) {
  const email = useUserEmail(user.id, open);
  const account = email.isError
    ? errorMessage(email.error, "The e-mail address could not be loaded.")
    : (email.data ?? "…");
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={user.isAdmin ? `Take ${user.name}'s admin role away?` : `Make ${user.name} an admin?`}
      description={
        <>
          <strong className="block wrap-anywhere text-ink">{account}</strong>
          {user.isAdmin
            ? "They keep their account, and lose the admin panel at once."
            : "Admins see every order, address and design, return money, and make others admins."}
        </>
      }
      confirm={user.isAdmin ? "Remove Admin" : "Make Admin"}
      disabled={!email.isSuccess}
      onConfirm={onConfirm}
    />
  );
}
