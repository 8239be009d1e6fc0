/** The time left until an end date, as the banner shows it. */

export interface TimeLeft {
  days: string;
  hours: string;
  minutes: string;
  seconds: string;
}

/** Two digits each; null once the date has come, or where it is no date. */
export function timeLeft(endsAt: string, now: number): TimeLeft | null {
  const left = Math.floor((Date.parse(endsAt) - now) / 1000);
  if (!(left > 0)) return null;
  const digits = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return {
    days: digits(left / 86_400),
    hours: digits((left % 86_400) / 3600),
    minutes: digits((left % 3600) / 60),
    seconds: digits(left % 60),
  };
}
