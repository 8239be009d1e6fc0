/** The project's users: create, ban, sign out, delete, and a link that signs one in. */
import type { User } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dataOf, service } from "../api/services";
import { Badge } from "../components/badge";
import { Button } from "../components/button";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";
import { isBanned } from "./change";
import { NewUser } from "./new-user";
import { OneUser } from "./one-user";

const PAGE = 100;

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
        <h2 className="text-lg">Users</h2>
        <Button className="ml-auto" onClick={() => setAdding(true)}>
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
                    className="text-link underline underline-offset-2"
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
        <Button variant="ghost" disabled={page === 1} onClick={() => setPage(page - 1)}>
          Previous
        </Button>
        <Button variant="ghost" disabled={listed.length < PAGE} onClick={() => setPage(page + 1)}>
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
