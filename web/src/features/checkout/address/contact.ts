/** How a shopper is reached about a parcel; the same rules as the server's (functions/_shared/orders/contact.py). */
import * as z from "zod/mini";

const EMAIL = z.string().check(z.email());
const PHONE = /^\+?[0-9 ().\-/\u00a0\u2010-\u2013]*$/;
const EXTENSION = /\s*(?:ext\.?|x|#)\s*[0-9]{1,6}$/i;
const FEWEST_DIGITS = 5;
/** ITU-T E.164, the country's code included. */
const MOST_DIGITS = 15;

export function isEmail(text: string): boolean {
  return EMAIL.safeParse(text).success;
}

/** A number as people write it, with an extension or without. */
export function isPhone(text: string, countryCode: string): boolean {
  const number = text.replace(EXTENSION, "");
  const digits = countDigits(number);
  // one that repeats its country's code counts by itself
  const prefix = number.startsWith("+") ? 0 : countDigits(countryCode);
  return PHONE.test(number) && digits >= FEWEST_DIGITS && digits + prefix <= MOST_DIGITS;
}

function countDigits(text: string): number {
  return text.replace(/[^0-9]/g, "").length;
}
