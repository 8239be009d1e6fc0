import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { errorMessage } from "@/lib/errors";
import { useSetPassword } from "../api/set-password";
import { AuthError } from "./auth-error";

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
      <Field label="New password" error={form.formState.errors.password?.message}>
        {(ids) => (
          <Input
            {...ids}
            {...form.register("password")}
            type="password"
            autoComplete="new-password"
            required
          />
        )}
      </Field>
      <Button type="submit" busy={save.isPending} className="mt-1 w-full">
        Save new password
      </Button>
      <AuthError message={failure ?? undefined} />
    </form>
  );
}
