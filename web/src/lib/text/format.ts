/** Money and dates as the shop writes them: US dollars, en-US, UTC (but for times to come, which are the visitor's). */

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const shortDate = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  year: "numeric",
  month: "short",
  day: "numeric",
});

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function formatNumber(count: number): string {
  return whole.format(count);
}

export function formatPrice(amount: number): string {
  return dollars.format(amount);
}

export function formatDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : shortDate.format(date);
}

const moment = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

/** 'Nov 22, 2026, 3:05 PM UTC': for records, where the hour matters. */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : moment.format(date).replaceAll("\u202f", " ");
}

const clockTime = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat("en-US", { weekday: "long" });

/** The next minute that begins after `time`, on the visitor's own clock: 'at 3:05 PM', 'on Tuesday at 9:00 AM'. */
export function formatNextTime(time: Date, now = new Date()): string {
  const minute = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
  const at = `at ${clockTime.format(minute)}`;
  return minute.toDateString() === now.toDateString() ? at : `on ${weekday.format(minute)} ${at}`;
}

/** '#' and the last characters of an id, as order numbers are written: 6 in lists, 8 on the order's own page. */
export function shortId(id: string, length: number): string {
  return `#${id.slice(-length).toUpperCase()}`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
