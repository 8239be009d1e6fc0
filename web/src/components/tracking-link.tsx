interface TrackingLinkProps {
  number: string;
  url: string | null;
}

/** A parcel's number, as a link to the carrier's page where that is one. */
export function TrackingLink({ number, url }: TrackingLinkProps) {
  if (!url || !/^https?:/.test(url)) return number;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="wrap-anywhere text-cobalt-text underline underline-offset-4"
    >
      {number}
      <span className="sr-only"> (opens the carrier's page)</span>
    </a>
  );
}
