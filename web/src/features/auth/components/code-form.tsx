import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { errorMessage } from "@/lib/errors/errors";
import { useSession } from "@/lib/session/session-provider";
import type { MailKind } from "../api/send-mail";
import { useVerifyCode } from "../api/verify-code";

const schema = z.object({
  code: z.string().check(
    z.overwrite((code) => code.replaceAll(/\s/g, "")),
    z.regex(/^\d{6,10}$/, "Enter the digits of the code in the mail."),
  ),
});

/** Signs in by the code of the mail; the page moves on by itself once there is a session. */
export function CodeForm({ kind, email }: { kind: MailKind; email: string }) {
  const { listen } = useSession();
  const verify = useVerifyCode();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: "" } });
  const failure = verify.error && errorMessage(verify.error, "The code could not be checked.");
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-3"
      onSubmit={form.handleSubmit(({ code }) => {
        listen();
        verify.mutate({ kind, email, code });
      })}
    >
      <Field
        label="Code from the mail"
        error={form.formState.errors.code?.message ?? failure ?? undefined}
      >
        {(ids) => (
          <Input
            {...ids}
            {...form.register("code", { onChange: () => verify.reset() })}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={16}
            className="font-semibold tracking-[0.3em] tabular-nums"
            required
          />
        )}
      </Field>
      <Button type="submit" busy={verify.isPending} className="w-full">
        {kind === "signup" ? "Confirm my email" : "Continue"}
      </Button>
    </form>
  );
}
