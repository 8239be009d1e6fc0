import type { Policy } from "../api/calls";

/** A table's policies, as they are written. */
export function PolicyList({ policies }: { policies: Policy[] }) {
  return (
    <table className="grid-table">
      <thead>
        <tr>
          <th scope="col">Policy</th>
          <th scope="col">For</th>
          <th scope="col">Roles</th>
          <th scope="col">Rows that are seen</th>
          <th scope="col">Rows that may be written</th>
        </tr>
      </thead>
      <tbody>
        {policies.map((policy) => (
          <tr key={policy.name}>
            <td className="whitespace-normal!">
              {policy.name}
              {policy.permissive ? "" : " (restrictive)"}
            </td>
            <td>{policy.command}</td>
            <td>{policy.roles.join(", ")}</td>
            <td className="max-w-none! min-w-48 whitespace-pre-wrap!">{policy.using}</td>
            <td className="max-w-none! min-w-48 whitespace-pre-wrap!">{policy.check}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
