export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether a text can be the id of a row. Ids from the address bar are checked before a request is made: the services
 * would reject a malformed one.
 */
export function isUuid(text: string | null | undefined): text is string {
  return UUID.test(text ?? "");
}
