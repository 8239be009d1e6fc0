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

/** Stores `smaller` where the whole draft does not fit: storage has a few megabytes, and a photo may be larger. */
export function writeDraft(name: string, value: unknown, smaller?: unknown): void {
  if (store(name, value) || (smaller !== undefined && store(name, smaller))) return;
  // Storage is forbidden or full: the form still works without its draft.
  clearDraft(name);
}

function store(name: string, value: unknown): boolean {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
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

export function useSaveDraft<T>(name: string, value: T, shrink?: (value: T) => unknown): void {
  useEffect(() => writeDraft(name, value, shrink?.(value)), [name, value, shrink]);
}
