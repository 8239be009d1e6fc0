import { expect, test } from "vitest";
import { cleanName, cleanText, hasHiddenCharacters, isBlank, revealText } from "./visible-text";

const UNSEEN = [
  "\u3164",
  "\u2800",
  "\ufe0f",
  "\u034f",
  "\u115f",
  "\u1160",
  "\uffa0",
  "\u200b",
  "\u200d",
  "\u202e",
  "\u2066",
  "\ufeff",
  "\u00ad",
  "\u00a0",
  "\u{e0041}",
  "\u{e0100}",
  "\u0000",
  "\u0085",
  "\ud800",
];

test("a text of unseen characters alone is empty", () => {
  for (const character of UNSEEN)
    for (const text of [character, `${character}${character}`, ` ${character}\u3164 `]) {
      expect(isBlank(text)).toBe(true);
      expect(cleanText(text)).toBe("");
      expect(cleanName(text)).toBe("");
    }
});

test("longer texts keep lines, emoji and every script, and lose turned direction", () => {
  for (const text of [
    "A cat",
    "\u2764\ufe0f",
    "👩\u200d🚀",
    "東京",
    "two\nlines",
    "שלום \u200e(hi)",
  ])
    expect(cleanText(` ${text} `)).toBe(text);
  expect(cleanText("gnp\u202e.tac\u2069")).toBe("gnp.tac");
});

test("a name loses what is not seen but not what joins letters", () => {
  expect(cleanName(" In\u200bk\u202ey\u3164 ")).toBe("Inky");
  expect(cleanName("می\u200cخواهم")).toBe("می\u200cخواهم");
  expect(hasHiddenCharacters("می\u200cخواهم")).toBe(false);
  expect(hasHiddenCharacters("a\u200cb")).toBe(true);
});

test("a text from outside shows what is not seen in it", () => {
  expect(revealText("exe.\u202egnp\u0000 <b>\r\nnext")).toBe("exe.[U+202E]gnp[U+0000] <b> next");
  expect(revealText("Zoë 👩‍🚀 שלום")).toBe("Zoë 👩‍🚀 שלום");
});
