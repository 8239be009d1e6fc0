import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { FormError } from "@/components/forms/form-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { errorMessage } from "@/lib/errors/errors";
import { notify } from "@/lib/errors/notify";
import { emailRule } from "@/lib/text/email-rule";
import { useChangeEmail } from "../api/change-email";

const schema = z.object({ email: emailRule });

interface ChangeEmailDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ChangeEmailDialog({ open, onOpenChange }: ChangeEmailDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogTitle>Change your email</DialogTitle>
        <DialogDescription>
          We mail your old and your new address. Open the link in both mails, in this browser: then
          you sign in with the new one.
        </DialogDescription>
        <ChangeEmailForm onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function ChangeEmailForm({ onDone }: { onDone: () => void }) {
  const change = useChangeEmail();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "" } });
  const failure = change.error && errorMessage(change.error, "The mails could not be sent.");

  function submit({ email }: { email: string }) {
    change.mutate(email, {
      onSuccess: () => {
        notify("Check both mailboxes!", "Open the link in each mail to change your email.");
        onDone();
      },
    });
  }

  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit(submit)}
    >
      <Field label="New email" error={form.formState.errors.email?.message}>
        {(ids) => (
          <Input
            {...ids}
            {...form.register("email")}
            type="email"
            autoComplete="email"
            inputMode="email"
            required
          />
        )}
      </Field>
      <Button type="submit" busy={change.isPending} className="w-full">
        Send the mails
      </Button>
      <FormError message={failure ?? undefined} />
    </form>
  );
}
