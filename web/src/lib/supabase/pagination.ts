/** Which page numbers to show: all of five or fewer, else the first, the last and the current's neighbours. */
export type PageItem = number | "gap-before" | "gap-after";

const AT_MOST = 5;

export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

export function pageItems(page: number, pages: number): PageItem[] {
  if (pages <= AT_MOST) return Array.from({ length: pages }, (_, index) => index + 1);
  if (page <= 3) return [1, 2, 3, 4, "gap-after", pages];
  if (page >= pages - 2) return [1, "gap-before", pages - 3, pages - 2, pages - 1, pages];
  return [1, "gap-before", page - 1, page, page + 1, "gap-after", pages];
}
