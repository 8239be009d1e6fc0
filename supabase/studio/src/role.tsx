/** The role that reads rows and runs statements: one choice for all pages. */
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useId, useState } from "react";
import { call, type Role, type User } from "./api/calls";
import { Select } from "./components/field";

const OWNER: Role = { name: "postgres" };
const Context = createContext<{ role: Role; choose: (role: Role) => void }>({
  role: OWNER,
  choose: () => undefined,
});

export const useRole = () => useContext(Context);

export function RoleProvider({ children }: { children: ReactNode }) {
  const [role, choose] = useState<Role>(OWNER);
  return <Context.Provider value={{ role, choose }}>{children}</Context.Provider>;
}

export function roleName(role: Role): string {
  return role.name === "authenticated" ? role.user.email || role.user.id : role.name;
}

const USERS = "select id, coalesce(email, phone, id::text) from auth.users order by 2 limit 1000";

export function RolePicker() {
  const { role, choose } = useRole();
  const id = useId();
  const users = useQuery({
    queryKey: ["users"],
    queryFn: async (): Promise<User[]> =>
      ((await call("run", { sql: USERS, read_only: true })).results[0]?.rows ?? []).map(
        ([user, email]) => ({ id: user ?? "", email: email ?? "" }),
      ),
  });
  const pick = (value: string) => {
    const user = users.data?.find((each) => each.id === value);
    if (user) choose({ name: "authenticated", user });
    else if (value === "anon" || value === "service_role") choose({ name: value });
    else choose(OWNER);
  };
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-sm font-semibold whitespace-nowrap">
        Run as
      </label>
      <Select
        id={id}
        className="w-40 text-sm sm:w-56"
        value={role.name === "authenticated" ? role.user.id : role.name}
        onChange={(event) => pick(event.target.value)}
      >
        <option value="postgres">postgres (owner)</option>
        <option value="service_role">service_role</option>
        <option value="anon">anon</option>
        {users.data?.length ? (
          <optgroup label="Signed in as">
            {users.data.map((user) => (
              <option key={user.id} value={user.id}>
                {user.email}
              </option>
            ))}
          </optgroup>
        ) : null}
      </Select>
    </div>
  );
}
