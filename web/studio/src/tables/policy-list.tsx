import type { Policy } from "../api";

/** A table's policies, as they are written. */
export function PolicyList({ policies }: { policies: Policy[] }) {
  return (
    <div className="max-h-64 overflow-auto border-b border-line">
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
              <td>
                {policy.name}
                {policy.permissive ? "" : " (restrictive)"}
              </td>
              <td>{policy.command}</td>
              <td>{policy.roles.join(", ")}</td>
              <td title={policy.using ?? undefined}>{policy.using}</td>
              <td title={policy.check ?? undefined}>{policy.check}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
