/** A folder's files: upload, look at, delete. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { File, Folder } from "lucide-react";
import { type ChangeEvent, useId, useState } from "react";
import { Link } from "react-router-dom";
import { readAnew } from "../api/read-anew";
import { dataOf, service } from "../api/services";
import { Button } from "../components/button";
import { ConfirmDialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";
import { type Entry, Preview } from "./preview";

const PAGE = 1000;

export function Files({ bucket, folder }: { bucket: string; folder: string }) {
  const client = useQueryClient();
  const upload = useId();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState(false);
  const [open, setOpen] = useState<Entry | null>(null);
  const path = (name: string) => (folder ? `${folder}/${name}` : name);
  const entries = useQuery({
    queryKey: ["files", bucket, folder],
    queryFn: async () =>
      (await dataOf(
        (await service()).storage.from(bucket).list(folder, {
          limit: PAGE,
          sortBy: { column: "name", order: "asc" },
        }),
      )) as Entry[],
  });
  const reload = () => {
    setChosen(new Set());
    return readAnew(client, ["files", bucket]);
  };
  const send = useMutation({
    mutationFn: async (files: File[]) => {
      const storage = (await service()).storage.from(bucket);
      for (const file of files)
        await dataOf(
          storage.upload(path(file.name), file, { upsert: true, contentType: file.type }),
        );
    },
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: async () =>
      dataOf((await service()).storage.from(bucket).remove([...chosen].map(path))),
    onSuccess: reload,
  });
  const choose = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const error = entries.error ?? send.error ?? remove.error;
  return (
    <div className="flex min-h-0 flex-col">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2.5">
        <Crumbs bucket={bucket} folder={folder} />
        <div className="ml-auto flex items-center gap-2">
          {chosen.size > 0 ? (
            <Button variant="danger" onClick={() => setDeleting(true)}>
              Delete {chosen.size}
            </Button>
          ) : null}
          <label htmlFor={upload} className="text-sm font-semibold">
            Upload
          </label>
          <input
            id={upload}
            type="file"
            multiple
            className="w-56 text-sm"
            onChange={(event: ChangeEvent<HTMLInputElement>) => {
              send.mutate([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
        </div>
      </div>
      {error ? <Failure error={error} /> : null}
      <Scroller label="Files">
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">Choose</span>
              </th>
              <th scope="col">Name</th>
              <th scope="col">Size</th>
              <th scope="col">Type</th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {entries.data?.map((entry) => (
              <tr key={entry.name}>
                <td>
                  {entry.id ? (
                    <input
                      type="checkbox"
                      aria-label={`Choose ${entry.name}`}
                      checked={chosen.has(entry.name)}
                      onChange={() => choose(entry.name)}
                    />
                  ) : null}
                </td>
                <td>
                  <span className="flex items-center gap-2">
                    {entry.id ? (
                      <File aria-hidden="true" className="size-3.5" />
                    ) : (
                      <Folder aria-hidden="true" className="size-3.5" />
                    )}
                    {entry.id ? (
                      <button
                        type="button"
                        className="text-link underline underline-offset-2"
                        onClick={() => setOpen(entry)}
                      >
                        {entry.name}
                      </button>
                    ) : (
                      <Link
                        className="text-link underline underline-offset-2"
                        to={address(bucket, path(entry.name))}
                      >
                        {entry.name}
                      </Link>
                    )}
                  </span>
                </td>
                <td>{entry.metadata?.size?.toLocaleString("en")}</td>
                <td>{entry.metadata?.mimetype}</td>
                <td>{entry.updated_at?.slice(0, 19).replace("T", " ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {entries.data?.length === 0 ? <p className="p-6 text-ink-soft">Nothing here.</p> : null}
      </Scroller>
      {entries.data?.length === PAGE ? (
        <p className="border-t border-line px-4 py-2 text-sm">The first {PAGE} are shown.</p>
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${chosen.size} ${chosen.size === 1 ? "file" : "files"}?`}
          description={`From ${bucket}. This cannot be undone.`}
          confirm="Delete"
          onClose={() => setDeleting(false)}
          onConfirm={() => remove.mutate()}
        />
      ) : null}
      {open ? (
        <Preview
          bucket={bucket}
          path={path(open.name)}
          entry={open}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

const address = (bucket: string, path: string) =>
  `/files/${[bucket, ...path.split("/")].map(encodeURIComponent).join("/")}`;

function Crumbs({ bucket, folder }: { bucket: string; folder: string }) {
  const parts = folder.split("/").filter(Boolean);
  return (
    <nav aria-label="Folder" className="flex flex-wrap gap-1 font-semibold">
      <Link to={address(bucket, "").replace(/\/$/, "")}>{bucket}</Link>
      {parts.map((part, at) => (
        <span key={parts.slice(0, at + 1).join("/")}>
          {" / "}
          <Link to={address(bucket, parts.slice(0, at + 1).join("/"))}>{part}</Link>
        </span>
      ))}
    </nav>
  );
}
