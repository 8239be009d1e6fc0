/** The project's users: create, ban, sign out, delete, and a link that signs one in. */
import type { User } from "@supabase/supabase-js";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { call } from "./api";
import { dataOf, service } from "./client";
import { Failure } from "./failure";
import { Scroller } from "./scroller";

const PAGE = 100;
const isBanned = (user: User) =>
  user.banned_until !== undefined && new Date(user.banned_until) > new Date();

export function UsersPage() {
  const [page, setPage] = useState(1);
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  const users = useQuery({
    queryKey: ["users-page", page],
    queryFn: async () => dataOf((await service()).auth.admin.listUsers({ page, perPage: PAGE })),
  });
  const listed = users.data?.users ?? [];
  const shown = listed.find((user) => user.id === open);
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-3 border-b border-line px-4 py-2.5">
        <h2 className="font-display text-lg font-bold">Users</h2>
        <Button size="sm" className="ml-auto" onClick={() => setAdding(true)}>
          Create user
        </Button>
      </div>
      {users.error ? <Failure error={users.error} /> : null}
      <Scroller label="Users">
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col">State</th>
              <th scope="col">Signed in by</th>
              <th scope="col">Created</th>
              <th scope="col">Last signed in</th>
            </tr>
          </thead>
          <tbody>
            {listed.map((user) => (
              <tr key={user.id}>
                <td>
                  <button
                    type="button"
                    className="text-cobalt-text underline underline-offset-2"
                    onClick={() => setOpen(user.id)}
                  >
                    {user.email || user.phone || user.id}
                  </button>
                </td>
                <td>
                  <UserState user={user} />
                </td>
                <td>{user.app_metadata.providers?.join(", ") || user.app_metadata.provider}</td>
                <td>{time(user.created_at)}</td>
                <td>{time(user.last_sign_in_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {users.data && listed.length === 0 ? (
          <p className="p-6 text-ink-soft">{page === 1 ? "No users yet." : "No more users."}</p>
        ) : null}
      </Scroller>
      <div className="flex items-center justify-end gap-3 border-t border-line px-4 py-2 text-sm">
        <Button size="sm" variant="ghost" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabled={listed.length < PAGE}
          onClick={() => setPage(page + 1)}
        >
          Next
        </Button>
      </div>
      {adding ? <NewUser onClose={() => setAdding(false)} /> : null}
      {shown ? <OneUser user={shown} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

const time = (text: string | undefined) => text?.slice(0, 19).replace("T", " ") ?? "";

function UserState({ user }: { user: User }) {
  if (isBanned(user)) return <Badge tone="red">banned</Badge>;
  if (user.is_anonymous) return <Badge>anonymous</Badge>;
  if (user.email_confirmed_at || user.phone_confirmed_at)
    return <Badge tone="green">confirmed</Badge>;
  return <Badge tone="yellow">not confirmed</Badge>;
}

function useChange<T = void>(change: (argument: T) => Promise<unknown>, after?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ["users-page"] }),
        client.invalidateQueries({ queryKey: ["users"] }),
        client.invalidateQueries({ queryKey: ["user"] }),
      ]);
      after?.();
    },
  });
}

function NewUser({ onClose }: { onClose: () => void }) {
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
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()}>
      <DialogContent>
        <DialogTitle>Create a user</DialogTitle>
        <DialogDescription>The address counts as confirmed.</DialogDescription>
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
      </DialogContent>
    </Dialog>
  );
}

async function sessionsAndFactors(id: string) {
  const quoted = `'${id.replaceAll("'", "''")}'`;
  const response = await call("run", {
    sql: `select id, created_at, coalesce(user_agent, ''), coalesce(host(ip), '') from auth.sessions where user_id = ${quoted} order by 2 desc;
      select id, factor_type::text, status::text from auth.mfa_factors where user_id = ${quoted}`,
    read_only: true,
  });
  return { sessions: response.results[0]?.rows ?? [], factors: response.results[1]?.rows ?? [] };
}

function OneUser({ user, onClose }: { user: User; onClose: () => void }) {
  const [deleting, setDeleting] = useState(false);
  const [link, setLink] = useState("");
  const banned = isBanned(user);
  const more = useQuery({
    queryKey: ["user", user.id],
    queryFn: () => sessionsAndFactors(user.id),
  });
  const ban = useChange(async (duration: string) =>
    dataOf((await service()).auth.admin.updateUserById(user.id, { ban_duration: duration })),
  );
  const signOut = useChange(() =>
    call("run", {
      sql: `delete from auth.sessions where user_id = '${user.id.replaceAll("'", "''")}'`,
    }),
  );
  const remove = useChange(
    async () => dataOf((await service()).auth.admin.deleteUser(user.id)),
    onClose,
  );
  const makeLink = useMutation({
    mutationFn: async () => {
      const made = await dataOf(
        (await service()).auth.admin.generateLink({ type: "magiclink", email: user.email ?? "" }),
      );
      setLink(made.properties?.action_link ?? "");
      await navigator.clipboard.writeText(made.properties?.action_link ?? "");
    },
  });
  const error = ban.error ?? signOut.error ?? remove.error ?? makeLink.error ?? more.error;
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogTitle>{user.email || user.phone || "Anonymous user"}</DialogTitle>
        <DialogDescription className="font-mono text-sm">{user.id}</DialogDescription>
        <div className="flex flex-wrap gap-2">
          {user.email ? (
            <Button size="sm" busy={makeLink.isPending} onClick={() => makeLink.mutate()}>
              Copy a magic link
            </Button>
          ) : null}
          <Button
            size="sm"
            variant="secondary"
            busy={ban.isPending}
            onClick={() => ban.mutate(banned ? "none" : "87600h")}
          >
            {banned ? "Lift the ban" : "Ban"}
          </Button>
          <Button
            size="sm"
            variant="secondary"
            disabled={!more.data?.sessions.length}
            busy={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            Sign out everywhere
          </Button>
          <Button size="sm" variant="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
        {link ? (
          <p role="status" className="font-mono text-xs break-all">
            Copied: {link}
          </p>
        ) : null}
        {error ? <Failure error={error} /> : null}
        <Details title="Sessions" lines={more.data?.sessions} empty="Not signed in anywhere." />
        <Details title="Second factors" lines={more.data?.factors} empty="None." />
        <section>
          <h3 className="text-sm font-semibold">Metadata</h3>
          <pre className="mt-1 max-h-48 overflow-auto rounded-lg bg-sunk p-3 text-xs">
            {JSON.stringify({ user: user.user_metadata, app: user.app_metadata }, null, 2)}
          </pre>
        </section>
      </DialogContent>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${user.email || "this user"}?`}
        description="With all that refers to the account and goes with it. This cannot be undone."
        confirm="Delete"
        onConfirm={() => remove.mutate()}
      />
    </Dialog>
  );
}

interface DetailsProps {
  title: string;
  lines: (string | null)[][] | undefined;
  empty: string;
}

function Details({ title, lines, empty }: DetailsProps) {
  return (
    <section>
      <h3 className="text-sm font-semibold">{title}</h3>
      {lines?.length ? (
        <ul className="mt-1 flex flex-col gap-1 font-mono text-xs">
          {lines.map((line) => (
            <li key={line[0]}>{line.slice(1).join(" · ")}</li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-ink-soft">{lines ? empty : "Loading …"}</p>
      )}
    </section>
  );
}
