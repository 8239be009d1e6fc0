/**
 * Drafts of forms in localStorage, each its owner's: they outlive a reload, the tab and a session that ends by itself, for
 * seven days. Never a reason to fail.
 */
const PREFIX = "teesmith-draft:";
export const LONGEST_MS = 7 * 86_400_000;

function keyOf(owner: string, name: string): string {
  return `${PREFIX}${owner}:${name}`;
}

function valueIn(text: string): unknown {
  const { at, value } = JSON.parse(text) as { at: number; value: unknown };
  return Date.now() - at < LONGEST_MS ? value : undefined;
}

export function readDraft<T>(
  owner: string,
  name: string,
  parse: (value: unknown) => T | undefined,
): T | undefined {
  try {
    const text = localStorage.getItem(keyOf(owner, name));
    const value = text === null ? undefined : valueIn(text);
    return value === undefined ? undefined : parse(value);
  } catch {
    return undefined;
  }
}

export function writeDraft(owner: string, name: string, value: unknown): void {
  try {
    localStorage.setItem(keyOf(owner, name), JSON.stringify({ at: Date.now(), value }));
  } catch {
    // Storage is forbidden or full: the form still works without its draft.
    clearDraft(owner, name);
  }
}

export function clearDraft(owner: string, name: string): void {
  try {
    localStorage.removeItem(keyOf(owner, name));
  } catch {
    // Storage is forbidden, so there was no draft either.
  }
}

/** Removes everybody's drafts, but `keep`'s of the last seven days. */
export function forgetTexts(keep?: string): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      if (keep && key.startsWith(keyOf(keep, "")) && isFresh(localStorage.getItem(key))) continue;
      localStorage.removeItem(key);
    }
  } catch {
    // As above.
  }
}

function isFresh(text: string | null): boolean {
  try {
    return valueIn(text ?? "") !== undefined;
  } catch {
    return false;
  }
}
