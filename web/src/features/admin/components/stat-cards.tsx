import { Skeleton } from "@/components/ui/skeleton";

interface StatCardsProps {
  /** Values that are still on their way are undefined. */
  stats: { label: string; value: string | undefined }[];
}

export function StatCards({ stats }: StatCardsProps) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
      {stats.map(({ label, value }) => (
        <div
          key={label}
          className="rounded-card border border-line bg-raised px-4 py-3 shadow-plate"
        >
          <dt className="text-sm text-ink-soft">{label}</dt>
          <dd className="mt-1 flex h-9 items-center font-display text-2xl font-extrabold tracking-tight tabular-nums sm:text-3xl">
            {value ?? <Skeleton className="h-6 w-20" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
