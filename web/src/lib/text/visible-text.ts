/**
 * Characters that are not seen: the server's own list and rules (functions/_shared/core/visible_text.py), so that a form says
 * at once what the server would refuse.
 */
import ranges from "../../../../functions/_shared/core/hidden_characters.json";

/** The inside of a regular expression's brackets. */
function classOf(...lists: readonly (readonly string[])[]): string {
  return lists
    .flat()
    .map((range) => {
      const [first = "", last = first] = range.split("-");
      return `\\u{${first}}-\\u{${last}}`;
    })
    .join("");
}

const HIDDEN = new RegExp(`[${classOf(ranges.hidden)}]`, "u");
const VISIBLE = new RegExp(`[^${classOf(ranges.hidden, ranges.blank)}]`, "u");
const STRIPPED = new RegExp(`[${classOf(ranges.stripped)}]+`, "gu");
const COPIED = new RegExp(`[${classOf(ranges.copied)}]+`, "gu");
/** Joiners belong between letters of Arabic and Indic scripts. */
const LOST_JOINER = /(?<![\p{Lo}\p{Mn}\p{Mc}])[\u200c\u200d]/u;

/** Whether a one-line text holds characters that are not seen, or joiners where they join nothing. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text) || LOST_JOINER.test(text);
}

/** A one-line text without the marks that copying brings, and with ordinary blanks. */
export function withoutCopiedMarks(text: string): string {
  return text
    .replace(COPIED, "")
    .replace(new RegExp(LOST_JOINER, "gu"), "")
    .replace(/[\t\p{Zs}]/gu, " ");
}

/** Whether nothing of a text is seen. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** A text from outside on one line, with the characters that are not seen as their numbers: `[U+202E]`. */
export function revealText(text: string): string {
  return Array.from(text.replace(/[\t\n\r]+/g, " "), (character) =>
    HIDDEN.test(character)
      ? `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`
      : character,
  ).join("");
}

/** A text of any length without controls and turned direction, trimmed; empty when nothing of it is seen. */
export function cleanText(text: string): string {
  const cleaned = text.replace(STRIPPED, "").trim();
  return isBlank(cleaned) ? "" : cleaned;
}

/** A name that others read: nothing unseen in it, so that no two look alike; empty when nothing is left. */
export function cleanName(text: string): string {
  const seen = Array.from(text).filter((character) => !HIDDEN.test(character));
  const name = seen.join("").trim();
  return isBlank(name) ? "" : name;
}
