import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import type { Credentials } from "../api/sign-up";

const schema = z.object({
  email: z
    .string()
    .check(
      z.minLength(1, "Enter your email address."),
      z.email("This doesn't look like an email address."),
    ),
  password: z.string().check(z.minLength(1, "Enter a password.")),
});

interface EmailFormProps {
  mode: "login" | "signup";
  busy: boolean;
  submit: string;
  onSubmit: (credentials: Credentials) => void;
}

export function EmailForm({ mode, busy, submit, onSubmit }: EmailFormProps) {
  const form = useForm<Credentials>({
    resolver: zodResolver(schema),
    defaultValues: { email: "", password: "" },
  });
  const { errors } = form.formState;
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={form.handleSubmit(onSubmit)}>
      <Field label="Email" error={errors.email?.message}>
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
      <Field label="Password" error={errors.password?.message}>
        {(ids) => (
          <Input
            {...ids}
            {...form.register("password")}
            type="password"
            autoComplete={mode === "login" ? "current-password" : "new-password"}
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
