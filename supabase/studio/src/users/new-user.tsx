import { type FormEvent, useState } from "react";
import { dataOf, service } from "../api/services";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Field, Input } from "../components/field";
import { useChange } from "./change";

export function NewUser({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const create = useChange(
    async () =>
      dataOf((await service()).auth.admin.createUser({ email, password, email_confirm: true })),
    onClose,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog title="Create a user" description="The address counts as confirmed." onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Email">
          {(ids) => (
            <Input
              {...ids}
              type="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Password">
          {(ids) => (
            <Input
              {...ids}
              required
              autoComplete="off"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        {create.error ? <Failure error={create.error} /> : null}
        <Button type="submit" busy={create.isPending}>
          Create
        </Button>
      </form>
    </Dialog>
  );
}
