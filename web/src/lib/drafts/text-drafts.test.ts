import { afterEach, expect, test, vi } from "vitest";
import { clearDraft, forgetTexts, LONGEST_MS, readDraft, writeDraft } from "./text-drafts";

const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

afterEach(() => vi.useRealTimers());

test("a draft comes back as it was written, to its owner alone", () => {
  writeDraft("ada", "note", "hello");
  expect(readDraft("ada", "note", asText)).toBe("hello");
  expect(readDraft("bob", "note", asText)).toBeUndefined();
});

test("a draft of another shape is no draft", () => {
  writeDraft("ada", "note", { text: 1 });
  expect(readDraft("ada", "note", asText)).toBeUndefined();
  for (const text of ["{broken", "null", '"text"', '{"value":"no date"}']) {
    localStorage.setItem("teesmith-draft:ada:note", text);
    expect(readDraft("ada", "note", asText)).toBeUndefined();
  }
});

test("a draft lasts seven days", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  writeDraft("ada", "note", "hello");
  vi.setSystemTime(Date.now() + LONGEST_MS - 1);
  expect(readDraft("ada", "note", asText)).toBe("hello");
  vi.setSystemTime(Date.now() + 1);
  expect(readDraft("ada", "note", asText)).toBeUndefined();
  forgetTexts("ada");
  expect(Object.keys(localStorage)).toEqual([]);
});

test("full storage is not an error, and leaves no stale draft behind", () => {
  writeDraft("ada", "note", "old");
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeDraft("ada", "note", "too large");
  expect(readDraft("ada", "note", asText)).toBeUndefined();
  vi.restoreAllMocks();
});

test("another person's sign-in forgets everybody else's drafts, leaving forgets all, and nothing else", () => {
  writeDraft("ada", "a", "1");
  writeDraft("bob", "a", "2");
  localStorage.setItem("other", "3");
  localStorage.setItem("teesmith-draft:ada:broken", "{");
  forgetTexts("ada");
  expect(readDraft("ada", "a", asText)).toBe("1");
  expect(readDraft("bob", "a", asText)).toBeUndefined();
  expect(localStorage.getItem("teesmith-draft:ada:broken")).toBeNull();
  clearDraft("ada", "a");
  expect(readDraft("ada", "a", asText)).toBeUndefined();
  writeDraft("ada", "b", "4");
  forgetTexts();
  expect(Object.keys(localStorage)).toEqual(["other"]);
});
