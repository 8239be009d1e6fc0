import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
} from "@tanstack/react-query";
import { ServiceError } from "@/lib/errors/errors";

/** Retries once; never after a 4xx response. */
function retry(failures: number, error: Error): boolean {
  if (error instanceof ServiceError && error.status !== undefined && error.status < 500)
    return false;
  return failures < 1;
}

/**
 * A first read that is on its way while something changes may have seen the state before. TanStack Query would take
 * its answer for the newest one: here it is read once more.
 */
class ShopQueryClient extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: "fetching" })
      .filter((query) => query.state.data === undefined);
    await super.invalidateQueries(filters, options);
    if (first.length === 0) return;
    await Promise.allSettled(first.map((query) => query.promise));
    await super.invalidateQueries(
      { ...filters, predicate: (query) => first.includes(query) },
      options,
    );
  }
}

/**
 * Offline, a request fails at once and says so, instead of waiting without a word: what was typed stays where
 * it is, and the lists load by themselves when the connection comes back.
 */
export function makeQueryClient(): QueryClient {
  return new ShopQueryClient({
    defaultOptions: {
      queries: {
        retry,
        staleTime: 15_000,
        refetchOnWindowFocus: false,
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
}
