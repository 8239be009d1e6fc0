import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { emailRule } from "@/lib/text/email-rule";

const schema = z.object({ email: emailRule });

interface AddressFormProps {
  email: string;
  busy: boolean;
  submit: string;
  onSubmit: (email: string) => void;
}

export function AddressForm({ email, busy, submit, onSubmit }: AddressFormProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email } });
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit((values) => onSubmit(values.email))}
    >
      <Field label="Email" error={form.formState.errors.email?.message}>
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
      <Button type="submit" busy={busy} className="mt-1 w-full">
        {submit}
      </Button>
    </form>
  );
}
