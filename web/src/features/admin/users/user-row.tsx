import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { errorMessage } from "@/lib/errors/errors";
import { notify, notifyProblem } from "@/lib/errors/notify";
import { useUser } from "@/lib/session/session-provider";
import { formatDate, formatPrice } from "@/lib/text/format";
import type { UserAnalytics } from "../api/get-user-analytics";
import { useSetAdmin } from "../api/set-admin";
import { Cell, ColumnHeads } from "../components/columns";
import { formatDuration } from "../stats";
import { RoleDialog } from "./role-dialog";

const COLUMNS = "lg:grid-cols-[minmax(10rem,2fr)_4.5rem_5.5rem_4.5rem_5rem_6rem_7rem_7rem_8.5rem]";

function displayName({ name, username }: UserAnalytics): string {
  return name?.trim() || username?.trim() || "No name";
}

export function UserHeads() {
  return (
    <ColumnHeads
      className={COLUMNS}
      heads={[
        "User",
        "Orders",
        "Spent",
        "Designs",
        "Sessions",
        "Avg. session",
        "Last login",
        "Joined",
        "Role",
      ]}
    />
  );
}

export function UserRow({ user }: { user: UserAnalytics }) {
  const me = useUser();
  const setAdmin = useSetAdmin();
  const [asking, setAsking] = useState(false);
  const name = displayName(user);

  // Awaited, because callbacks of mutate() fall silent when a role filter takes the row away.
  async function toggle() {
    try {
      await setAdmin.mutateAsync({ userId: user.user_id, isAdmin: !user.is_admin });
      notify("User Updated", "User role has been updated successfully.");
    } catch (error) {
      notifyProblem("Update Failed", errorMessage(error, "The role could not be changed."));
    }
  }

  return (
    <li className={`grid grid-cols-3 items-center gap-x-4 gap-y-3 px-4 py-3 ${COLUMNS}`}>
      <div className="col-span-3 flex min-w-0 items-center gap-2 lg:col-span-1">
        <span className="min-w-0">
          <span className="block truncate text-base font-semibold lg:text-sm">{name}</span>
          {user.username && user.username !== name ? (
            <span className="block truncate text-ink-soft">{user.username}</span>
          ) : null}
        </span>
        {user.is_admin ? <Badge tone="blue">Admin</Badge> : null}
      </div>
      <Cell label="Orders">{user.total_orders}</Cell>
      <Cell label="Spent">{formatPrice(user.total_spent)}</Cell>
      <Cell label="Designs">{user.total_designs}</Cell>
      <Cell label="Sessions">{user.total_sessions}</Cell>
      <Cell label="Avg. session">{formatDuration(user.avg_session_duration_minutes)}</Cell>
      <Cell label="Last login">{user.last_login ? formatDate(user.last_login) : "Never"}</Cell>
      <Cell label="Joined">{formatDate(user.created_at)}</Cell>
      <div className="col-span-2 justify-self-end lg:col-span-1 lg:justify-self-start">
        {user.user_id === me.id ? (
          <span className="text-ink-soft">That's you</span>
        ) : (
          <>
            <Button
              variant="secondary"
              size="sm"
              busy={setAdmin.isPending}
              aria-label={`${user.is_admin ? "Remove Admin" : "Make Admin"}: ${name}`}
              onClick={() => setAsking(true)}
            >
              {user.is_admin ? "Remove Admin" : "Make Admin"}
            </Button>
            <RoleDialog
              user={{ id: user.user_id, name, isAdmin: user.is_admin }}
              open={asking}
              onOpenChange={setAsking}
              onConfirm={toggle}
            />
          </>
        )}
      </div>
    </li>
  );
}
