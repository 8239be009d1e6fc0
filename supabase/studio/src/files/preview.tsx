/** A file: its picture or text, and a link to it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dataOf, service } from "../api/services";
import { Button, buttonClass } from "../components/button";
import { Dialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Scroller } from "../components/scroller";

const LINK_SECONDS = 3600;

export interface Entry {
  name: string;
  id: string | null;
  metadata: { size?: number; mimetype?: string } | null;
  updated_at: string | null;
}

interface PreviewProps {
  bucket: string;
  path: string;
  entry: Entry;
  onClose: () => void;
}

export function Preview({ bucket, path, entry, onClose }: PreviewProps) {
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
    <Dialog
      title={entry.name}
      description={`${mime}, ${entry.metadata?.size?.toLocaleString("en")} bytes`}
      className="m-auto max-w-3xl"
      onClose={onClose}
    >
      {link.error ? <Failure error={link.error} /> : null}
      {mime.startsWith("image/") && link.data ? (
        <img src={link.data} alt={entry.name} className="max-h-[60dvh] self-center" />
      ) : null}
      {text.data === undefined ? null : (
        <Scroller label="Text" className="max-h-[60dvh] rounded-lg bg-sunk p-3 text-sm">
          <pre>{text.data}</pre>
        </Scroller>
      )}
      <div className="flex gap-3">
        <Button
          disabled={!link.data}
          onClick={() => navigator.clipboard.writeText(link.data ?? "").then(() => setCopied(true))}
        >
          {copied ? "Copied" : "Copy a link for an hour"}
        </Button>
        {link.data ? (
          <a className={buttonClass({ variant: "secondary" })} href={`${link.data}&download=`}>
            Download
          </a>
        ) : null}
      </div>
    </Dialog>
  );
}
