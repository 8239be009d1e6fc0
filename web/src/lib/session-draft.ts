/** Form drafts that survive a reload but not the tab: sessionStorage, and never a reason to fail. */
import { useEffect } from "react";

const PREFIX = "teesmith-draft:";

export function readDraft<T>(
  name: string,
  parse: (value: unknown) => T | undefined,
): T | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    return text === null ? undefined : parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function writeDraft(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden (a large photo, a private window): the form still works without its draft.
    clearDraft(name);
  }
}

export function clearDraft(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Storage is forbidden, so there was no draft either.
  }
}

/** Removes every draft: another person may sign in on this tab. */
export function clearAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {
    // As above.
  }
}

export function useSaveDraft(name: string, value: unknown): void {
  useEffect(() => writeDraft(name, value), [name, value]);
}
