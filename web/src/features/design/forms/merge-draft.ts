/**
 * A stored draft laid over an empty form: unknown fields are dropped, and fields of another type keep their default.
 */
export function mergeDraft<T extends Record<string, string>>(empty: T, stored: unknown): T {
  if (typeof stored !== "object" || stored === null) return empty;
  const entries = Object.entries(stored).filter(
    ([name, value]) => name in empty && typeof value === "string",
  );
  return { ...empty, ...Object.fromEntries(entries) };
}
