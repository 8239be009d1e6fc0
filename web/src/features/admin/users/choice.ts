/** Which users the list shows, and in which order. */

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

export interface Choice {
  sort: Sort;
  role: Role;
  search: string;
}
