/** Which users the list shows, and in which order. */
import type { UserAnalytics } from "../api/get-user-analytics";

export const SORTS = {
  created_at: "Newest first",
  created_at_asc: "Oldest first",
  name: "Name, A to Z",
  name_desc: "Name, Z to A",
  total_orders: "Most orders",
  total_spent: "Most spent",
  total_designs: "Most designs",
  total_sessions: "Most sessions",
} as const;

export type Sort = keyof typeof SORTS;

export const ROLES = { all: "All roles", admin: "Admins", user: "Users" } as const;

export type Role = keyof typeof ROLES;

export function displayName({ name, username }: Pick<UserAnalytics, "name" | "username">): string {
  return name?.trim() || username?.trim() || "No name";
}

type Compare = (a: UserAnalytics, b: UserAnalytics) => number;

const byName: Compare = (a, b) => displayName(a).localeCompare(displayName(b), "en");
const byCreation: Compare = (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at);

type Figure = "total_orders" | "total_spent" | "total_designs" | "total_sessions";
const most =
  (figure: Figure): Compare =>
  (a, b) =>
    b[figure] - a[figure] || byName(a, b);

const COMPARE: Record<Sort, Compare> = {
  created_at: (a, b) => byCreation(b, a),
  created_at_asc: byCreation,
  name: byName,
  name_desc: (a, b) => byName(b, a),
  total_orders: most("total_orders"),
  total_spent: most("total_spent"),
  total_designs: most("total_designs"),
  total_sessions: most("total_sessions"),
};

interface Choice {
  sort: Sort;
  role: Role;
  search: string;
}

export function chooseUsers(
  users: readonly UserAnalytics[],
  { sort, role, search }: Choice,
): UserAnalytics[] {
  const wanted = search.trim().toLowerCase();
  return users
    .filter((user) => role === "all" || user.is_admin === (role === "admin"))
    .filter((user) => `${user.name ?? ""} ${user.username ?? ""}`.toLowerCase().includes(wanted))
    .toSorted(COMPARE[sort]);
}
