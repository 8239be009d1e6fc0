import { expect, test, vi } from "vitest";
import { clearAllDrafts, clearDraft, readDraft, writeDraft } from "./session-draft";

const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

test("a draft comes back as it was written", () => {
  writeDraft("note", "hello");
  expect(readDraft("note", asText)).toBe("hello");
});

test("a draft of another shape is no draft", () => {
  writeDraft("note", { text: 1 });
  expect(readDraft("note", asText)).toBeUndefined();
  sessionStorage.setItem("teesmith-draft:note", "{broken");
  expect(readDraft("note", asText)).toBeUndefined();
});

test("full storage is not an error, and leaves no stale draft behind", () => {
  writeDraft("photo", "old");
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeDraft("photo", "too large");
  expect(readDraft("photo", asText)).toBeUndefined();
});

test("leaving clears every draft and nothing else", () => {
  writeDraft("a", "1");
  writeDraft("b", "2");
  sessionStorage.setItem("other", "3");
  clearDraft("a");
  expect(readDraft("a", asText)).toBeUndefined();
  clearAllDrafts();
  expect(readDraft("b", asText)).toBeUndefined();
  expect(sessionStorage.getItem("other")).toBe("3");
});
