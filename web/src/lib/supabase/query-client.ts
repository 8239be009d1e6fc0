import { QueryClient } from "@tanstack/react-query";
import { ServiceError } from "@/lib/errors/errors";

/** Retries once; never after a 4xx response. */
function retry(failures: number, error: Error): boolean {
  if (error instanceof ServiceError && error.status !== undefined && error.status < 500)
    return false;
  return failures < 1;
}

/**
 * Offline, a request fails at once and says so, instead of waiting without a word: what was typed stays where
 * it is, and the lists load by themselves when the connection comes back.
 */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
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
