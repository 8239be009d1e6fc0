/** Rows as CSV (RFC 4180): NULL is empty, an empty text is `""`. */

export function toCsv(columns: string[], rows: (string | null)[][]): string {
  const lines = [columns.map(quoted), ...rows.map((row) => row.map(cell))];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

const cell = (value: string | null) => (value === null ? "" : value === "" ? '""' : quoted(value));

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
