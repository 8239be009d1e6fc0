export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether a text can be the id of a row. What comes from the address bar is asked before a request is made: an id that
 * is none names nothing, and the services would only refuse it.
 */
export function isUuid(text: string | null | undefined): text is string {
  return UUID.test(text ?? "");
}
