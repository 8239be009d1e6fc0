import { ChevronLeft, ChevronRight } from "lucide-react";
import { pageItems } from "@/lib/supabase/pagination";
import { cn } from "@/lib/text/cn";
import { Button } from "./button";

interface PaginationProps {
  label: string;
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

export function Pagination({ label, page, pages, onPage }: PaginationProps) {
  if (pages <= 1) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-1">
      <Button variant="ghost" size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden="true" />
        <span className="max-sm:sr-only">Previous</span>
      </Button>
      {pageItems(page, pages).map((item) =>
        typeof item === "string" ? (
          <span key={item} aria-hidden="true" className="w-6 text-center text-ink-soft">
            …
          </span>
        ) : (
          <button
            key={item}
            type="button"
            aria-label={`Page ${item}`}
            aria-current={item === page ? "page" : undefined}
            onClick={() => onPage(item)}
            className={cn(
              "grid size-9 place-items-center rounded-lg text-sm font-semibold tabular-nums",
              item === page ? "bg-ink text-paper" : "hover:bg-sunk",
            )}
          >
            {item}
          </button>
        ),
      )}
      <Button variant="ghost" size="sm" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <span className="max-sm:sr-only">Next</span>
        <ChevronRight aria-hidden="true" />
      </Button>
    </nav>
  );
}
