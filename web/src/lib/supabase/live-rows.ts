/**
 * Rows that change elsewhere while a page shows them. Realtime announces each change; without Realtime the page polls.
 */
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getSupabase, type Supabase } from "./client";

export const POLL_MS = 15_000;

interface LiveRows {
  table: "orders" | "designs";
  /** Which rows, as `column=eq.value`. */
  filter: string;
  /** The queries that show them. */
  queryKey: QueryKey;
  enabled?: boolean;
}

interface Listener {
  onChange: () => void;
  /** Whether changes arrive from now on. */
  onLive: (live: boolean) => void;
}

// Two parts of a page may follow the same rows; a channel belongs to one of them.
let channels = 0;

/** Loads the rows again after each change. */
export function useLiveRows({ table, filter, queryKey, enabled = true }: LiveRows): void {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  const key = JSON.stringify(queryKey);

  useEffect(() => {
    if (!enabled) return;
    const refresh = () => void client.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
    let left = false;
    let leave: (() => void) | undefined;
    getSupabase().then(
      (supabase) => {
        if (left) return;
        leave = follow(supabase, table, filter, {
          onChange: refresh,
          onLive: (now) => {
            setLive(now);
            // Changes before the subscription was active were not announced.
            if (now) refresh();
          },
        });
      },
      // Without the client the queries fail as well, and say so.
      () => {},
    );
    return () => {
      left = true;
      setLive(false);
      leave?.();
    };
  }, [client, table, filter, key, enabled]);

  useEffect(() => {
    if (!enabled || live) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void client.invalidateQueries({ queryKey: JSON.parse(key) as QueryKey });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [client, key, enabled, live]);
}

function follow(
  supabase: Supabase,
  table: LiveRows["table"],
  filter: string,
  { onChange, onLive }: Listener,
): () => void {
  const channel = supabase
    .channel(`rows-${++channels}`)
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table, filter, select: ["id"] },
      onChange,
    )
    .on("system", {}, ({ extension, status }) => {
      if (extension === "postgres_changes") onLive(status === "ok");
    })
    .subscribe((status) => {
      // A joined channel is not subscribed yet, and a channel that has not joined receives nothing.
      if (status !== "SUBSCRIBED") onLive(false);
    });
  return () => void supabase.removeChannel(channel);
}
