/** Studio's calls. A failed call throws an `ApiError` with Postgres' detail and hint. */

export interface Column {
  name: string;
  type: string;
  not_null: boolean;
  default: string | null;
  identity: string;
  generated: string;
  comment: string | null;
  key: boolean;
  values: string[] | null;
}

export interface Policy {
  name: string;
  permissive: boolean;
  command: string;
  roles: string[];
  using: string | null;
  check: string | null;
}

interface ForeignKey {
  name: string;
  columns: string[];
  schema: string;
  table: string;
  referenced: string[];
}

export interface Table {
  schema: string;
  name: string;
  kind: "table" | "view" | "materialized view" | "foreign table";
  rls: boolean;
  forced: boolean;
  comment: string | null;
  estimate: number;
  bytes: number;
  columns: Column[];
  foreign_keys: ForeignKey[];
  policies: Policy[];
}

export interface Rows {
  columns: string[];
  rows: (string | null)[][];
  /** Where each row is, by which it is changed; null for a view. */
  ids: string[] | null;
  /** The rows that the role sees; null where the role is the owner, or may read nothing of the table. */
  visible: string[] | null;
  readable: boolean;
  more: boolean;
}

export interface Result {
  command: string;
  count: number;
  columns: { name: string; type: string }[];
  rows: (string | null)[][];
  truncated: boolean;
}

export interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Filter?: string;
  "Index Cond"?: string;
  "Total Cost": number;
  "Plan Rows": number;
  "Actual Rows"?: number;
  "Actual Total Time"?: number;
  "Actual Loops"?: number;
  Plans?: PlanNode[];
}

export interface PolicyCheck {
  schema_usage: boolean;
  privilege: boolean;
  rls: boolean;
  rls_applies: boolean;
  allowed: boolean;
  policies: {
    name: string;
    permissive: boolean;
    condition: string | null;
    applies: boolean;
    for_command: boolean;
    for_role: boolean;
    result: boolean | null;
    error: string | null;
  }[];
}

export interface User {
  id: string;
  email: string;
}

export type Role =
  | { name: "postgres" | "anon" | "service_role" }
  | { name: "authenticated"; user: User };

export interface Project {
  name: string;
  api_url: string;
  mailbox_url: string;
  db_url: string;
  publishable_key: string;
  secret_key: string;
  anon_key: string;
  service_role_key: string;
  jwt_secret: string;
  schemas: string[];
  site_url: string;
}

export interface LogLine {
  service: string;
  time: string;
  severity?: string;
  message?: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  request_id?: string;
}

export interface Comparison {
  column: string;
  operator: string;
  value: string;
}

interface Mail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  time: string;
}

interface EdgeFunction {
  name: string;
  enabled: boolean;
  verify_jwt: boolean;
  entrypoint: string;
}

interface Snapshot {
  name: string;
  saved_at: string;
  bytes: number;
}

/** The response of each call. */
interface Responses {
  project: Project;
  tables: Table[];
  rows: Rows;
  insert: { count: number };
  update: { count: number };
  delete: { count: number };
  import: { count: number };
  run: { results: Result[]; notices: string[]; ms: number };
  explain: { plan: { Plan: PlanNode; "Execution Time"?: number; "Planning Time"?: number }[] };
  policies: PolicyCheck;
  mails: { mails: Mail[]; total: number };
  mail: { subject: string; text: string; html: string };
  functions: EdgeFunction[];
  snapshots: Snapshot[];
  snapshot: { id: string };
  outcome: { done: boolean };
  logs: { lines: LogLine[]; services: string[] };
}

export class ApiError extends Error {
  constructor(
    message: string,
    readonly more: { code?: string; detail?: string; hint?: string; position?: number } = {},
  ) {
    super(message);
  }
}

/** The message while Studio does not respond. */
export const NO_RESPONSE = "Studio does not answer.";

export async function call<Name extends keyof Responses>(
  name: Name,
  body: object = {},
): Promise<Responses[Name]> {
  let response: Response;
  try {
    response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-studio": "1" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ApiError(NO_RESPONSE, {
      hint: "Does the stack run? `supabase start` starts it.",
    });
  }
  const content = await response.json();
  if (!response.ok) throw new ApiError(content.message, content);
  return content;
}
