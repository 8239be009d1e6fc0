import { Skeleton } from "@/components/ui/skeleton";

interface LoadingRowsProps {
  text: string;
  rows: number;
  pictures?: boolean;
}

/** A list that is on its way, in the size that it will have. */
export function LoadingRows({ text, rows, pictures }: LoadingRowsProps) {
  return (
    <div role="status" className="px-5 py-1">
      <p className="pt-3 text-sm text-ink-soft">{text}</p>
      {Array.from({ length: rows }, (_, place) => place).map((place) => (
        <div key={place} className="flex items-center gap-4 py-3">
          {pictures ? <Skeleton className="size-18 shrink-0" /> : null}
          <div className="flex-1">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="mt-2 h-4 w-1/3" />
          </div>
        </div>
      ))}
    </div>
  );
}
