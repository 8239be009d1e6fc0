/** Money and dates as the shop writes them: US dollars, en-US, UTC (but for times to come, which are the visitor's). */

/**
 * Numbers and days are written without Intl: its first use in a page reads the browser's tables of all languages, which took
 * 30 ms of the first drawing. Tests compare them with it.
 */
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** '1,234', to the nearest whole number. */
export function formatNumber(count: number): string {
  return (count < 0 ? "-" : "") + grouped(Math.abs(count).toFixed(0));
}

/** '$1,234.50'. */
export function formatPrice(amount: number): string {
  const [whole = "", cents] = Math.abs(amount).toFixed(2).split(".");
  return `${amount < 0 ? "-" : ""}$${grouped(whole)}.${cents}`;
}

/** 'Nov 22, 2026'. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** 'Nov 22, 2026, 3:05 PM UTC': for records, where the hour matters. */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  const minutes = String(date.getUTCMinutes()).padStart(2, "0");
  const hour = date.getUTCHours();
  return `${formatDate(iso)}, ${hour % 12 || 12}:${minutes} ${hour < 12 ? "AM" : "PM"} UTC`;
}

/** The next minute that begins after `time`, on the visitor's own clock: 'at 3:05 PM', 'on Tuesday at 9:00 AM'. */
export function formatNextTime(time: Date, now = new Date()): string {
  const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
  const at = `at ${minute.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" })}`;
  if (minute.toDateString() === now.toDateString()) return at;
  return `on ${minute.toLocaleDateString("en-US", { weekday: "long" })} ${at}`;
}

/** '#' and the last characters of an id, as order numbers are written: 6 in lists, 8 on the order's own page. */
export function shortId(id: string, length: number): string {
  return `#${id.slice(-length).toUpperCase()}`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
