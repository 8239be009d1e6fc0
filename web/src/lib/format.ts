/** Money and dates as the shop writes them: US dollars, en-US, UTC. */

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const shortDate = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  year: "numeric",
  month: "short",
  day: "numeric",
});

export function formatPrice(amount: number): string {
  return dollars.format(amount);
}

export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : shortDate.format(date);
}

/** '#' and the last characters of an id, as order numbers are written: 6 in lists, 8 on the order's own page. */
export function shortId(id: string, length: number): string {
  return `#${id.slice(-length).toUpperCase()}`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
