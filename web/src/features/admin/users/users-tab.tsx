import { Search } from "lucide-react";
import { useState } from "react";
import { Input, NativeSelect } from "@/components/ui/field";
import { formatPrice } from "@/lib/format";
import { useUserAnalytics } from "../api/get-user-analytics";
import { AdminList } from "../components/admin-list";
import { StatCards } from "../components/stat-cards";
import { LIST_LIMIT } from "../limits";
import { countSince, weekAgo } from "../stats";
import { chooseUsers, ROLES, type Role, SORTS, type Sort } from "./sort-users";
import { UserHeads, UserRow } from "./user-row";

export function UsersTab() {
  const users = useUserAnalytics();
  const [sort, setSort] = useState<Sort>("created_at");
  const [role, setRole] = useState<Role>("all");
  const [search, setSearch] = useState("");
  const [now] = useState(() => new Date());
  const chosen = chooseUsers(users.data ?? [], { sort, role, search });
  const shown = chosen.slice(0, LIST_LIMIT);
  const spent = users.data?.reduce((sum, user) => sum + user.total_spent, 0);

  return (
    <div className="flex flex-col gap-5">
      <StatCards
        stats={[
          { label: "Users", value: users.data?.length.toString() },
          {
            label: "Admins",
            value: users.data?.filter((user) => user.is_admin).length.toString(),
          },
          {
            label: "New this week",
            value: users.data && countSince(users.data, weekAgo(now)).toString(),
          },
          { label: "Spent in all", value: spent === undefined ? undefined : formatPrice(spent) },
        ]}
      />
      <div className="flex flex-wrap items-center gap-3">
        <div className="relative w-full sm:w-64">
          <Search aria-hidden="true" className="absolute top-3 left-3.5 size-5 text-ink-soft" />
          <Input
            type="search"
            aria-label="Search users"
            placeholder="Search users..."
            className="pl-11"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <NativeSelect
          aria-label="Sort by"
          className="w-auto flex-1 sm:flex-none"
          value={sort}
          onChange={(event) => setSort(event.target.value as Sort)}
        >
          {Object.entries(SORTS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          aria-label="Role"
          className="w-auto flex-1 sm:flex-none"
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          {Object.entries(ROLES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
        <p role="status" className="text-sm text-ink-soft tabular-nums sm:ml-auto">
          {users.data ? `${shown.length} of ${users.data.length} shown` : null}
        </p>
      </div>
      <AdminList
        query={users}
        problem="Error Loading Users"
        empty="No users found"
        loading="Loading users..."
        header={<UserHeads />}
      >
        {shown.map((user) => (
          <UserRow key={user.user_id} user={user} />
        ))}
      </AdminList>
    </div>
  );
}
