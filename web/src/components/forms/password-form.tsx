import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { errorMessage } from "@/lib/errors/errors";
import { useSetPassword } from "@/lib/session/set-password";
import { FormError } from "./form-error";
import { PASSWORD_RULE, PasswordInput } from "./password-input";

const schema = z.object({
  password: z.string().check(z.minLength(1, "Enter a new password.")),
});

interface PasswordFormProps {
  email: string | undefined;
  onDone: () => void;
}

export function PasswordForm({ email, onDone }: PasswordFormProps) {
  const save = useSetPassword();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: "" } });
  const failure = save.error && errorMessage(save.error, "The password could not be saved.");
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit(({ password }) => save.mutate(password, { onSuccess: onDone }))}
    >
      {/* For password managers: the account of this password. */}
      <input type="hidden" name="username" autoComplete="username" value={email ?? ""} />
      <Field
        label="New password"
        hint={PASSWORD_RULE}
        error={form.formState.errors.password?.message}
      >
        {(ids) => (
          <PasswordInput {...ids} {...form.register("password")} autoComplete="new-password" />
        )}
      </Field>
      <Button type="submit" busy={save.isPending} className="mt-1 w-full">
        Save new password
      </Button>
      <FormError message={failure ?? undefined} />
    </form>
  );
}
