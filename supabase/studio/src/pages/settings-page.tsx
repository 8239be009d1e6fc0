/** Addresses and keys, each to copy. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/calls";
import { Button } from "../components/button";
import { Failure } from "../components/failure";
import { Snapshots } from "./snapshots";

const TITLES = {
  api_url: "API",
  db_url: "Database",
  mailbox_url: "Mailbox",
  site_url: "Site",
  publishable_key: "Publishable key",
  secret_key: "Secret key",
  anon_key: "anon key",
  service_role_key: "service_role key",
  jwt_secret: "JWT secret",
} as const;

export function SettingsPage() {
  const project = useQuery({ queryKey: ["project"], queryFn: () => call("project") });
  return (
    <div className="max-w-4xl p-6">
      <h2 className="text-xl">Settings</h2>
      {project.error ? <Failure error={project.error} /> : null}
      {project.data ? (
        <dl className="mt-4 divide-y divide-line border-y border-line">
          {Object.entries(TITLES).map(([name, title]) => (
            <Line key={name} title={title} value={project.data[name as keyof typeof TITLES]} />
          ))}
        </dl>
      ) : null}
      <Snapshots />
    </div>
  );
}

function Line({ title, value }: { title: string; value: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="flex gap-x-4 gap-y-1 py-2 max-sm:flex-col sm:items-center">
      <dt className="w-40 shrink-0 text-sm font-semibold">{title}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-4">
        <code className="min-w-0 flex-1 text-[0.8rem] break-all">{value}</code>
        <Button
          variant="secondary"
          aria-label={`Copy ${title}`}
          onClick={() => navigator.clipboard.writeText(value).then(() => setCopied(true))}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
      </dd>
    </div>
  );
}
