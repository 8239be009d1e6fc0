import { Search } from "lucide-react";
import { useState } from "react";
import { Input, NativeSelect } from "@/components/ui/field";
import { useDebounced } from "@/lib/browser/use-debounced";
import { formatNumber, formatPrice } from "@/lib/text/format";
import { useUserAnalytics } from "../api/get-user-analytics";
import { useUserStats } from "../api/get-user-stats";
import { AdminList } from "../components/admin-list";
import { StatCards } from "../components/stat-cards";
import { ROLES, type Role, SORTS, type Sort } from "./choice";
import { UserHeads, UserRow } from "./user-row";

const DEBOUNCE_MS = 300;

export function UsersTab() {
  const [sort, setSort] = useState<Sort>("created_at");
  const [role, setRole] = useState<Role>("all");
  const [search, setSearch] = useState("");
  const users = useUserAnalytics({ sort, role, search: useDebounced(search.trim(), DEBOUNCE_MS) });
  const stats = useUserStats();
  const figure = (text: string | undefined) => (stats.isError ? "–" : text);

  return (
    <div className="flex flex-col gap-5">
      <StatCards
        stats={[
          { label: "Users", value: figure(stats.data && formatNumber(stats.data.users)) },
          { label: "Admins", value: figure(stats.data && formatNumber(stats.data.admins)) },
          {
            label: "New this week",
            value: figure(stats.data && formatNumber(stats.data.new_this_week)),
          },
          {
            label: "Spent in all",
            value: figure(stats.data && formatPrice(stats.data.spent_cents / 100)),
          },
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
          {users.data && stats.data
            ? `${users.data.length} of ${formatNumber(stats.data.users)} shown`
            : null}
        </p>
      </div>
      <AdminList
        query={users}
        problem="Error Loading Users"
        empty="No users found"
        loading="Loading users..."
        header={<UserHeads />}
      >
        {(users.data ?? []).map((user) => (
          <UserRow key={user.user_id} user={user} />
        ))}
      </AdminList>
    </div>
  );
}
