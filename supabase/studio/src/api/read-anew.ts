import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * After a change: what begins with the key (without one all) is read anew.
 *
 * A first read that is still on its way may have seen the state before the change. Invalidated alone it would be taken
 * for the answer, and what was changed would not be shown.
 */
export async function readAnew(client: QueryClient, queryKey: QueryKey = []): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
