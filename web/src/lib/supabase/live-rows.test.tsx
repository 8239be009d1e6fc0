import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { RealtimeServer } from "@/testing/realtime";
import { POLL_MS, useLiveRows } from "./live-rows";

afterEach(() => void vi.useRealTimers());

/** Shows how often it has loaded the order. */
function Page({ load }: { load: () => number }) {
  const queryKey = ["orders", "1"];
  useLiveRows({ table: "orders", filter: "id=eq.1", queryKey });
  const { data } = useQuery({
    queryKey,
    queryFn: () => load(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <p>asked {data}</p>;
}

function open() {
  let count = 0;
  const client = new QueryClient();
  return render(
    <QueryClientProvider client={client}>
      <Page load={() => ++count} />
    </QueryClientProvider>,
  );
}

test("a change of the row asks for it again, and one of another does not", async () => {
  const server = RealtimeServer.start();
  open();
  // Once when the page opens, and once when the subscription is active.
  await screen.findByText("asked 2");
  server.change("orders", "id=eq.2");
  server.change("orders", "id=eq.1");
  await screen.findByText("asked 3");
});

test("a page that is left follows nothing any more", async () => {
  const server = RealtimeServer.start();
  const page = open();
  await screen.findByText("asked 2");
  page.unmount();
  await waitFor(() => expect(server.subscriptions).toEqual([]));
});

test("where no socket opens, the page asks by itself", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open();
  await screen.findByText("asked 1");
  await vi.advanceTimersByTimeAsync(POLL_MS + 100);
  await screen.findByText("asked 2");
  await vi.advanceTimersByTimeAsync(POLL_MS + 100);
  await screen.findByText("asked 3");
});

test("while changes are interrupted the page asks by itself, and once more when they come again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = RealtimeServer.start();
  open();
  await screen.findByText("asked 2");
  await vi.advanceTimersByTimeAsync(POLL_MS * 2);
  expect(screen.getByText("asked 2")).toBeTruthy();
  server.system("error");
  // The page is drawn once more before it begins to wait.
  await act(() => vi.advanceTimersByTimeAsync(100));
  await vi.advanceTimersByTimeAsync(POLL_MS);
  await screen.findByText("asked 3");
  server.system("ok");
  await screen.findByText("asked 4");
});
