/** Buckets, their folders and files: upload, look at, copy a link to, delete. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { File, Folder } from "lucide-react";
import { type ChangeEvent, type FormEvent, useId, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { ConfirmDialog } from "@/components/ui/alert-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "@/components/ui/dialog";
import { Input, Label } from "@/components/ui/field";
import { cn } from "@/lib/cn";
import { dataOf, service } from "./client";
import { Failure } from "./failure";
import { Scroller } from "./scroller";

const PAGE = 1000;
const LINK_SECONDS = 3600;

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
        <h2 className="font-display text-lg font-bold">Buckets</h2>
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
  const id = useId();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: async () => dataOf((await service()).storage.createBucket(name, { public: false })),
    onSuccess: () => {
      setName("");
      return client.invalidateQueries({ queryKey: ["buckets"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 border-t border-line pt-3">
      <Label htmlFor={id}>New private bucket</Label>
      <Input
        id={id}
        required
        className="h-9 text-sm"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {create.error ? <Failure error={create.error} /> : null}
      <Button size="sm" variant="secondary" type="submit" busy={create.isPending}>
        Create
      </Button>
    </form>
  );
}

interface Entry {
  name: string;
  id: string | null;
  metadata: { size?: number; mimetype?: string } | null;
  updated_at: string | null;
}

function Files({ bucket, folder }: { bucket: string; folder: string }) {
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
    return client.invalidateQueries({ queryKey: ["files", bucket] });
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
            <Button size="sm" variant="danger" onClick={() => setDeleting(true)}>
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
                        className="text-cobalt-text underline underline-offset-2"
                        onClick={() => setOpen(entry)}
                      >
                        {entry.name}
                      </button>
                    ) : (
                      <Link
                        className="text-cobalt-text underline underline-offset-2"
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
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${chosen.size} ${chosen.size === 1 ? "file" : "files"}?`}
        description={`From ${bucket}. This cannot be undone.`}
        confirm="Delete"
        onConfirm={() => remove.mutate()}
      />
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

interface PreviewProps {
  bucket: string;
  path: string;
  entry: Entry;
  onClose: () => void;
}

function Preview({ bucket, path, entry, onClose }: PreviewProps) {
  const [copied, setCopied] = useState(false);
  const mime = entry.metadata?.mimetype ?? "";
  const link = useQuery({
    queryKey: ["link", bucket, path, entry.updated_at],
    queryFn: async () =>
      (await dataOf((await service()).storage.from(bucket).createSignedUrl(path, LINK_SECONDS)))
        .signedUrl,
  });
  const text = useQuery({
    queryKey: ["text", bucket, path, entry.updated_at],
    enabled: /^text\/|json/.test(mime) && (entry.metadata?.size ?? 0) < 1_000_000,
    queryFn: async () =>
      (await dataOf((await service()).storage.from(bucket).download(path))).text(),
  });
  return (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()}>
      <DialogContent className="max-w-3xl">
        <DialogTitle>{entry.name}</DialogTitle>
        <DialogDescription>
          {mime}, {entry.metadata?.size?.toLocaleString("en")} bytes
        </DialogDescription>
        {link.error ? <Failure error={link.error} /> : null}
        {mime.startsWith("image/") && link.data ? (
          <img src={link.data} alt={entry.name} className="max-h-[60dvh] self-center" />
        ) : null}
        {text.data === undefined ? null : (
          <pre className="max-h-[60dvh] overflow-auto rounded-lg bg-sunk p-3 text-sm">
            {text.data}
          </pre>
        )}
        <div className="flex gap-3">
          <Button
            size="sm"
            disabled={!link.data}
            onClick={() =>
              navigator.clipboard.writeText(link.data ?? "").then(() => setCopied(true))
            }
          >
            {copied ? "Copied" : "Copy a link for an hour"}
          </Button>
          {link.data ? (
            <Button asChild size="sm" variant="secondary">
              <a href={`${link.data}&download=`}>Download</a>
            </Button>
          ) : null}
        </div>
      </DialogContent>
    </Dialog>
  );
}
