/** The tables of addresses that the functions' tests read too. */
import table from "../../../tests/data/addresses.tsv?raw";
import decisions from "../../../tests/data/postal_code_differences.tsv?raw";

export interface AddressRow {
  country: string;
  address1: string;
  city: string;
  region: string;
  zip: string;
  expected: string;
  "zip at the printer": string;
  "region at the printer": string;
}

interface Decision {
  country: string;
  "postal code": string;
  here: string;
  validator: string;
  why: string;
}

function read<Row>(text: string): Row[] {
  const [head = "", ...lines] = text.trim().split("\n");
  const columns = head.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? ""]));
  }) as Row[];
}

export const ADDRESSES = read<AddressRow>(table);
export const DECISIONS = read<Decision>(decisions);
