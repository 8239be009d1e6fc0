import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { Link, useLocation } from "react-router-dom";
import * as z from "zod/mini";
import { PASSWORD_RULE, PasswordInput } from "@/components/forms/password-input";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { emailRule } from "@/lib/text/email-rule";
import type { Credentials } from "../api/sign-up";
import { redirectSearch } from "../redirect-search";

const schema = z.object({
  email: emailRule,
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
  const { search } = useLocation();
  const email = useWatch({ control: form.control, name: "email" });
  return (
    <form
      method="post"
      className="flex flex-col gap-4"
      noValidate
      onSubmit={form.handleSubmit(onSubmit)}
    >
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
      <Field
        label="Password"
        hint={mode === "signup" ? PASSWORD_RULE : undefined}
        error={errors.password?.message}
      >
        {(ids) => (
          <PasswordInput
            {...ids}
            {...form.register("password")}
            autoComplete={mode === "login" ? "current-password" : "new-password"}
          />
        )}
      </Field>
      <Button type="submit" busy={busy} className="mt-1 w-full">
        {submit}
      </Button>
      {mode === "login" ? (
        <Link
          to={`/auth/reset-password${redirectSearch(search)}`}
          state={{ email }}
          className="self-start text-sm font-semibold text-cobalt-text underline underline-offset-4"
        >
          Forgot your password?
        </Link>
      ) : null}
    </form>
  );
}
