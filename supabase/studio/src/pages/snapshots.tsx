/** Snapshots of all local data: save, load, delete. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, call, NO_RESPONSE } from "../api/calls";
import { readAnew } from "../api/read-anew";
import { Button } from "../components/button";
import { ConfirmDialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Field, Input } from "../components/field";

interface Change {
  verb: "save" | "load" | "delete";
  name: string;
}

const DONE = { save: "Saved", load: "Loaded", delete: "Deleted" };
const WAIT_MS = 300;
const LONGEST_MS = 300_000;

/** A snapshot restarts the stack and Studio: the page polls for the outcome and ignores missing responses meanwhile. */
async function change({ verb, name }: Change): Promise<void> {
  const { id } = await call("snapshot", { verb, name });
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    try {
      if ((await call("outcome", { id })).done) return;
    } catch (error) {
      if (!(error instanceof ApiError && error.message === NO_RESPONSE)) throw error;
    }
  }
  throw new ApiError(`The snapshot takes longer than ${LONGEST_MS / 60_000} minutes.`);
}

export function Snapshots() {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [pending, setPending] = useState<Change | null>(null);
  const snapshots = useQuery({ queryKey: ["snapshots"], queryFn: () => call("snapshots") });
  const run = useMutation({ mutationFn: change, onSuccess: () => readAnew(client) });
  const save = (event: FormEvent) => {
    event.preventDefault();
    run.mutate({ verb: "save", name });
  };
  return (
    <section className="mt-10">
      <h3 className="text-lg">Snapshots</h3>
      <p className="text-sm text-ink-soft">
        Rows, users, files and mails together. The stack stands still for a moment; no request is
        refused.
      </p>
      <form onSubmit={save} className="mt-3 flex items-end gap-3">
        <Field label="Name">
          {(ids) => (
            <Input
              {...ids}
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          busy={run.isPending && run.variables.verb === "save"}
          disabled={run.isPending}
        >
          Save a snapshot
        </Button>
      </form>
      {run.error ? <Failure error={run.error} /> : null}
      {run.isSuccess ? (
        <p role="status" className="mt-2 text-sm">
          {DONE[run.variables.verb]} {run.variables.name}.
        </p>
      ) : null}
      {snapshots.error ? <Failure error={snapshots.error} /> : null}
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {snapshots.data?.map((each) => (
          <li key={each.name} className="flex items-center gap-4 py-2 text-sm">
            <span className="font-mono font-semibold">{each.name}</span>
            <span className="text-ink-soft">
              {each.saved_at.slice(0, 16).replace("T", " ")}, {Math.ceil(each.bytes / 1e6)} MB
            </span>
            <span className="ml-auto flex gap-2">
              <Button
                variant="secondary"
                disabled={run.isPending}
                onClick={() => setPending({ verb: "load", name: each.name })}
              >
                Load {each.name}
              </Button>
              <Button
                variant="danger"
                disabled={run.isPending}
                onClick={() => setPending({ verb: "delete", name: each.name })}
              >
                Delete {each.name}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {snapshots.data?.length === 0 ? (
        <p className="mt-2 text-sm text-ink-soft">None yet.</p>
      ) : null}
      {pending ? (
        <ConfirmDialog
          title={pending.verb === "load" ? `Load ${pending.name}?` : `Delete ${pending.name}?`}
          description={
            pending.verb === "load"
              ? "All present data goes, and that of the snapshot comes in its place."
              : "The snapshot goes; the present data stays."
          }
          confirm={pending.verb === "load" ? "Load" : "Delete"}
          onClose={() => setPending(null)}
          onConfirm={() => run.mutate(pending)}
        />
      ) : null}
    </section>
  );
}
