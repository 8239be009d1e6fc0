/** Buckets, with the files of one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { readAnew } from "../api/read-anew";
import { dataOf, service } from "../api/services";
import { Badge } from "../components/badge";
import { Button } from "../components/button";
import { cn } from "../components/classes";
import { Failure } from "../components/failure";
import { Field, Input } from "../components/field";
import { Files } from "./files";

export function FilesPage() {
  const [bucket = "", ...folders] = (useParams()["*"] ?? "").split("/").filter(Boolean);
  const buckets = useQuery({
    queryKey: ["buckets"],
    queryFn: async () => dataOf((await service()).storage.listBuckets()),
  });
  const current = buckets.data?.find((each) => each.id === bucket);
  return (
    <div className="grid h-full max-md:grid-cols-1 max-md:grid-rows-[14rem_1fr] md:grid-cols-[15rem_1fr]">
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto border-line max-md:border-b md:border-r p-3">
        <h2 className="text-lg">Buckets</h2>
        {buckets.error ? <Failure error={buckets.error} /> : null}
        <ul className="flex flex-col gap-1">
          {buckets.data?.map((each) => (
            <li key={each.id}>
              <Link
                to={`/files/${encodeURIComponent(each.id)}`}
                aria-current={each.id === bucket ? "page" : undefined}
                className={cn(
                  "flex items-center justify-between gap-2 rounded-md px-2 py-1 text-sm",
                  each.id === bucket ? "bg-ink text-paper" : "hover:bg-sunk",
                )}
              >
                <span className="truncate">{each.name}</span>
                {each.public ? <Badge tone="blue">public</Badge> : null}
              </Link>
            </li>
          ))}
        </ul>
        <NewBucket />
      </div>
      {current ? (
        <Files key={current.id} bucket={current.id} folder={folders.join("/")} />
      ) : (
        <p className="p-6 text-ink-soft">
          {bucket && buckets.data ? `There is no bucket ${bucket}.` : "Choose a bucket."}
        </p>
      )}
    </div>
  );
}

function NewBucket() {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: async () => dataOf((await service()).storage.createBucket(name, { public: false })),
    onSuccess: () => {
      setName("");
      return readAnew(client, ["buckets"]);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 border-t border-line pt-3">
      <Field label="New private bucket">
        {(ids) => (
          <Input {...ids} required value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      {create.error ? <Failure error={create.error} /> : null}
      <Button variant="secondary" type="submit" busy={create.isPending}>
        Create
      </Button>
    </form>
  );
}
