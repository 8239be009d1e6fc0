/** Tables that the functions' tests read too; tests/shop/unit/functions/ names their columns. */
import emailAddresses from "../../../tests/data/email_addresses.json";
import phoneDifferences from "../../../tests/data/phone_differences.json";
import phoneNumbers from "../../../tests/data/phone_numbers.json";

type PhoneRow = [
  country: string,
  code: string,
  written: string,
  number: string | null,
  source: string,
];
type PhoneDifference = [
  code: string,
  written: string,
  phonenumbers: string | null,
  libphonenumberJs: string | null,
];

type EmailRow = [written: string, stored: string | null, onTheWire: string | null];

export const EMAIL_ADDRESSES = emailAddresses as unknown as EmailRow[];
export const PHONE_NUMBERS = phoneNumbers as unknown as PhoneRow[];
export const PHONE_DIFFERENCES = phoneDifferences.flatMap(
  (group) => group.rows as unknown as PhoneDifference[],
);
