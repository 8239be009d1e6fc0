/** A user: sessions, second factors and metadata, and what can be done with the account. */
import type { User } from "@supabase/supabase-js";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/calls";
import { dataOf, service } from "../api/services";
import { Button } from "../components/button";
import { ConfirmDialog, Dialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";
import { isBanned, useChange } from "./change";

async function sessionsAndFactors(id: string) {
  const quoted = `'${id.replaceAll("'", "''")}'`;
  const response = await call("run", {
    sql: `select id, created_at, coalesce(user_agent, ''), coalesce(host(ip), '') from auth.sessions where user_id = ${quoted} order by 2 desc;
      select id, factor_type::text, status::text from auth.mfa_factors where user_id = ${quoted}`,
    read_only: true,
  });
  return { sessions: response.results[0]?.rows ?? [], factors: response.results[1]?.rows ?? [] };
}

export function OneUser({ user, onClose }: { user: User; onClose: () => void }) {
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
    <Dialog
      title={user.email || user.phone || "Anonymous user"}
      description={user.id}
      className="m-auto max-w-2xl"
      subtitle="font-mono"
      onClose={onClose}
    >
      <div className="flex flex-wrap gap-2">
        {user.email ? (
          <Button busy={makeLink.isPending} onClick={() => makeLink.mutate()}>
            Copy a magic link
          </Button>
        ) : null}
        <Button
          variant="secondary"
          busy={ban.isPending}
          onClick={() => ban.mutate(banned ? "none" : "87600h")}
        >
          {banned ? "Lift the ban" : "Ban"}
        </Button>
        <Button
          variant="secondary"
          disabled={!more.data?.sessions.length}
          busy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          Sign out everywhere
        </Button>
        <Button variant="danger" onClick={() => setDeleting(true)}>
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
        <Scroller label="Metadata" className="mt-1 max-h-48 rounded-lg bg-sunk p-3 text-xs">
          <pre>{JSON.stringify({ user: user.user_metadata, app: user.app_metadata }, null, 2)}</pre>
        </Scroller>
      </section>
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${user.email || "this user"}?`}
          description="With all that refers to the account and goes with it. This cannot be undone."
          confirm="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={() => remove.mutate()}
        />
      ) : null}
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
