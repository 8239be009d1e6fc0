/** The telephone number for a parcel; the same rules as the server's (functions/_shared/shipping/contact.py). */
import {
  type CountryCode,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/min";
import { COUNTRIES } from "@/shop/orders/countries";

const FEWEST_DIGITS = 5;
/** ITU-T E.164, the country's code included. */
const MOST_DIGITS = 15;
const BEFORE_NUMBER = /^[^+\uff0b(\uff080-9]*/;
const EXTENSION =
  /[\s,;]*(?:(?:ext[a-z]*|anexo|int|\u0434\u043e\u0431)[.:=\s]*(?<afterWord>[0-9]{1,10})|(?:x{1,3}|[\uff58\uff03\uff5e#~;]|,,?)[.:\s]*(?<afterSign>[0-9]{1,6}))$/i;
const SEPARATOR = /[\s()[\]./\\\-\u00b7\u2010-\u2015\u2022\u2212\u30fc\uff08\uff09\uff0d-\uff0f]/g;
const NUMBER = /^(?:(?<plus>[+\uff0b]+)(?:00)?)?(?<digits>[0-9]+)$/;
const KEYPAD = "22233344455566677778889999";

export interface Phone {
  /** E.164. */
  number: string;
  /** Digits; empty without one. */
  extension: string;
}

/** As an order carries it. */
export function writtenPhone({ number, extension }: Phone): string {
  return extension ? `${number} ext. ${extension}` : number;
}

/** A number as people write it; undefined where it cannot be one by the numbering plan of its country. */
export function parsePhone(text: string, countryCode: string): Phone | undefined {
  const country = COUNTRIES.find((each) => each.phone_code === countryCode)?.code;
  const place = country
    ? { defaultCountry: country as CountryCode }
    : { defaultCallingCode: countryCode.replace("+", "") };
  const written = Array.from(text, asciiDigit).join("").replace(BEFORE_NUMBER, "");
  const { afterWord, afterSign } = EXTENSION.exec(written)?.groups ?? {};
  for (const reading of readings(written.replace(EXTENSION, ""), countryCode)) {
    const phone = parsePhoneNumberFromString(reading, { ...place, extract: false });
    if (
      phone &&
      fitsPlan(phone) &&
      phone.nationalNumber.length >= FEWEST_DIGITS &&
      phone.number.length <= 1 + MOST_DIGITS
    ) {
      return { number: phone.number, extension: afterWord ?? afterSign ?? "" };
    }
  }
  return undefined;
}

/** The library knows the pattern, its types do not. */
type Plan = Metadata & { nationalNumberPattern(): string; possibleLengths(): number[] };

/** Length and first digits, by the plan of the calling code's main country. */
function fitsPlan({ countryCallingCode, nationalNumber }: PhoneNumber): boolean {
  const plan = new Metadata() as Plan;
  plan.selectNumberingPlan(countryCallingCode as string as CountryCode);
  return (
    plan.possibleLengths().includes(nationalNumber.length) &&
    new RegExp(`^(?:${plan.nationalNumberPattern()})$`).test(nationalNumber)
  );
}

/**
 * As it may be meant, the likeliest first: within its country, from abroad (00; 011 in North America), after the code as
 * it stands (+1809). Plus and digits alone: of other signs, the server's library drops some that this one refuses.
 */
function readings(written: string, countryCode: string): string[] {
  const { plus, digits } =
    NUMBER.exec(written.replace(/[a-z]{3,}/gi, onKeys).replace(SEPARATOR, ""))?.groups ?? {};
  if (!digits) return [];
  if (plus) return [`+${digits}`];
  const fromAbroad = ["00", "011"]
    .filter((prefix) => digits.startsWith(prefix))
    .map((prefix) => `+${digits.slice(prefix.length)}`);
  return [digits, ...fromAbroad, countryCode + digits];
}

const isDigit = (codePoint: number) => /\p{Nd}/u.test(String.fromCodePoint(codePoint));

/** 0 to 9 for a digit of any script: in Unicode each script's ten stand in a row. */
function asciiDigit(sign: string): string {
  const codePoint = sign.codePointAt(0) ?? 0;
  if (!isDigit(codePoint)) return sign;
  let zero = codePoint;
  while (isDigit(zero - 1)) zero -= 1;
  return String((codePoint - zero) % 10);
}

/** `FLOWERS` with the digits of a telephone's keys. */
function onKeys(word: string): string {
  return word.toLowerCase().replace(/./g, (letter) => KEYPAD[letter.charCodeAt(0) - 97] ?? "");
}
