import { type FormEvent, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { PasswordInput } from "@/components/forms/password-input";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { useUser } from "@/lib/session/session-provider";

interface PasswordProofProps {
  busy: boolean;
  failure: string | undefined;
  onProof: (proof: { password: string }) => void;
}

/** Deletes by the account's password. */
export function PasswordProof({ busy, failure, onProof }: PasswordProofProps) {
  const { email } = useUser();
  const [password, setPassword] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (password) onProof({ password });
  }

  return (
    <form method="post" className="flex flex-col gap-4" onSubmit={submit}>
      {/* For password managers: the account of this password. */}
      <input type="hidden" name="username" autoComplete="username" value={email ?? ""} />
      <Field label="Your password">
        {(ids) => (
          <PasswordInput
            {...ids}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" variant="danger" busy={busy} disabled={!password} className="w-full">
        Delete for good
      </Button>
      <FormError message={failure} />
    </form>
  );
}
