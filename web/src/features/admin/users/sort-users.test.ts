import { expect, test } from "vitest";
import type { UserAnalytics } from "../api/get-user-analytics";
import { chooseUsers, type Role, type Sort } from "./sort-users";

function person(name: string | null, changes: Partial<UserAnalytics> = {}): UserAnalytics {
  return {
    user_id: String(name),
    name,
    username: null,
    is_admin: false,
    total_orders: 0,
    total_spent: 0,
    total_designs: 0,
    total_sessions: 0,
    avg_session_duration_minutes: 0,
    last_login: null,
    created_at: "2026-01-01T00:00:00Z",
    ...changes,
  };
}

const USERS = [
  person("Bea", { total_orders: 3, total_spent: 10, created_at: "2026-03-01T00:00:00Z" }),
  person("Abe", { total_designs: 9, is_admin: true, created_at: "2026-01-01T00:00:00Z" }),
  person(null, {
    username: "cleo",
    total_sessions: 5,
    total_spent: 99,
    created_at: "2026-02-01T00:00:00Z",
  }),
];

const names = (sort: Sort, role: Role = "all", search = "") =>
  chooseUsers(USERS, { sort, role, search }).map((user) => user.name ?? user.username);

test.each<[Sort, (string | null)[]]>([
  ["created_at", ["Bea", "cleo", "Abe"]],
  ["created_at_asc", ["Abe", "cleo", "Bea"]],
  ["name", ["Abe", "Bea", "cleo"]],
  ["name_desc", ["cleo", "Bea", "Abe"]],
  ["total_orders", ["Bea", "Abe", "cleo"]],
  ["total_spent", ["cleo", "Bea", "Abe"]],
  ["total_designs", ["Abe", "Bea", "cleo"]],
  ["total_sessions", ["cleo", "Abe", "Bea"]],
])("sorted by %s", (sort, expected) => {
  expect(names(sort)).toEqual(expected);
});

test("the role filter parts admins from users", () => {
  expect(names("name", "admin")).toEqual(["Abe"]);
  expect(names("name", "user")).toEqual(["Bea", "cleo"]);
});

test("a search looks into names and user names, in any case", () => {
  expect(names("name", "all", " CLE ")).toEqual(["cleo"]);
});
