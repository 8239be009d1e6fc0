/** Why a role does not see a row: its rights, then each policy with what its condition says of this row. */
import { useQuery } from "@tanstack/react-query";
import { call, type PolicyCheck, type Role, type Table } from "../api/calls";
import { Badge, type Tone } from "../components/badge";
import { Dialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { roleName } from "../role";

interface Props {
  table: Table;
  place: string;
  role: Role;
  onClose: () => void;
}

export function WhyHidden({ table, place, role, onClose }: Props) {
  const check = useQuery({
    queryKey: ["policies", table.schema, table.name, place, role],
    queryFn: () => call("policies", { schema: table.schema, table: table.name, id: place, role }),
    gcTime: 0,
  });
  return (
    <Dialog
      title={`Why is this row hidden from ${roleName(role)}?`}
      description={check.data ? summary(check.data) : "Evaluating …"}
      className="m-auto max-w-2xl"
      onClose={onClose}
    >
      {check.error ? <Failure error={check.error} /> : null}
      <ul className="flex flex-col gap-3">
        {check.data?.policies.map((policy) => {
          const [tone, text] = verdict(policy);
          return (
            <li key={policy.name} className="rounded-lg border border-line p-3">
              <p className="flex items-center justify-between gap-3 font-semibold">
                {policy.name}
                {policy.permissive ? "" : " (restrictive)"}
                <Badge tone={tone}>{text}</Badge>
              </p>
              <code className="mt-1 block text-[0.8rem] break-words text-ink-soft">
                {policy.condition ?? "true"}
              </code>
              {policy.error ? <p className="text-sm text-danger">{policy.error}</p> : null}
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

function summary(check: PolicyCheck): string {
  if (!check.schema_usage) return "The role may not use the schema: no row of it is seen.";
  if (!check.privilege) return "The role may not select from the table: grant it that right first.";
  if (!check.rls_applies) return "Policies do not apply to this role.";
  if (check.allowed) return "It is seen now.";
  const permissive = check.policies.filter((each) => each.applies && each.permissive);
  if (permissive.length === 0) return "No policy is for this role, so it sees no row.";
  if (!permissive.some((each) => each.result)) return "None of its policies is true for this row.";
  return "A restrictive policy is not true for this row.";
}

function verdict(policy: PolicyCheck["policies"][number]): [Tone, string] {
  if (!policy.for_role) return ["grey", "for other roles"];
  if (!policy.for_command) return ["grey", "not for reading"];
  if (policy.error) return ["red", "error"];
  if (policy.result) return ["green", "true"];
  return ["red", policy.result === null ? "NULL, so false" : "false"];
}
