import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";

const ASK_AGAIN_MS = 5_000;

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

/**
 * Whether the shop can be reached, as far as is known. A browser says "offline" on a machine without a network, where
 * a shop of that machine answers all the same: so the shop is asked then.
 */
export function useOnline(): boolean {
  const hasNetwork = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  const { isError } = useQuery({
    queryKey: ["the shop answers"],
    queryFn: async () => (await fetch("/", { method: "HEAD", cache: "no-store" })).status,
    enabled: !hasNetwork,
    refetchInterval: ASK_AGAIN_MS,
    retry: false,
    staleTime: 0,
  });
  return hasNetwork || !isError;
}
