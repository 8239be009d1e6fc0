import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { createElement, type PropsWithChildren } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { makeQueryClient } from "@/lib/supabase/query-client";
import { useOnline } from "./use-online";

const client = makeQueryClient();

function goes(word: "offline" | "online") {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(word === "online");
  act(() => void window.dispatchEvent(new Event(word)));
}

// The next file of this worker would wait for the network.
afterEach(() => goes("online"));

function hook() {
  return renderHook(useOnline, {
    wrapper: ({ children }: PropsWithChildren) =>
      createElement(QueryClientProvider, { client }, children),
  }).result;
}

test("going offline and back is noticed", async () => {
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("Failed to fetch")));
  const result = hook();
  expect(result.current).toBe(true);
  goes("offline");
  await waitFor(() => expect(result.current).toBe(false));
  goes("online");
  expect(result.current).toBe(true);
});

test("a shop that answers without a network is online", async () => {
  const ask = vi.fn().mockResolvedValue(new Response(null, { status: 404 }));
  vi.stubGlobal("fetch", ask);
  const result = hook();
  goes("offline");
  await waitFor(() =>
    expect(ask).toHaveBeenCalledWith("/", expect.objectContaining({ method: "HEAD" })),
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(result.current).toBe(true);
});
