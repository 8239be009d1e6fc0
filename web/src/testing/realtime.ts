/** Realtime at the network: a socket server that joins every channel, and announces what a test has changed. */
import { vi } from "vitest";

type Message = [string | null, string | null, string, string, Record<string, unknown>];

interface Subscription {
  socket: TestSocket;
  topic: string;
  joinRef: string | null;
  filters: { table: string; filter: string }[];
}

// The client is made once and lives on, so what its sockets speak to is decided when they send.
let server: RealtimeServer | undefined;
const sockets = new Set<TestSocket>();

class TestSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = TestSocket.CONNECTING;
  binaryType = "blob";
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: ((event: object) => void) | null = null;
  onclose: ((event: object) => void) | null = null;

  constructor() {
    sockets.add(this);
    if (!server) return;
    queueMicrotask(() => {
      this.readyState = TestSocket.OPEN;
      this.onopen?.({});
    });
  }

  send(text: string): void {
    server?.answer(this, JSON.parse(text) as Message);
  }

  close(): void {
    if (!sockets.delete(this)) return;
    this.readyState = TestSocket.CLOSED;
    queueMicrotask(() => this.onclose?.({ code: 1000, reason: "" }));
  }
}

/** A network on which no socket opens. */
export function withoutRealtime(): void {
  server = undefined;
  for (const socket of sockets) socket.close();
  vi.stubGlobal("WebSocket", TestSocket);
}

export class RealtimeServer {
  readonly subscriptions: Subscription[] = [];

  /** The server that all sockets reach from now on. */
  static start(): RealtimeServer {
    const started = new RealtimeServer();
    server = started;
    return started;
  }

  /** Announces a change of a row to all who follow it. */
  change(table: string, filter: string): void {
    for (const found of this.subscriptions) {
      const ids = found.filters.flatMap((wanted, index) =>
        wanted.table === table && wanted.filter === filter ? [index + 1] : [],
      );
      if (ids.length === 0) continue;
      const columns = [{ name: "id", type: "uuid" }];
      const data = {
        schema: "public",
        table,
        type: "UPDATE",
        commit_timestamp: "2026-11-22T14:00:00.000Z",
        columns,
        record: { id: "1" },
        old_record: { id: "1" },
        errors: null,
      };
      this.push(found, "postgres_changes", { ids, data });
    }
  }

  /** Says that changes come, or that they do not for now. */
  system(status: "ok" | "error"): void {
    for (const found of this.subscriptions) this.announce(found, status);
  }

  private announce(found: Subscription, status: "ok" | "error"): void {
    this.push(found, "system", {
      extension: "postgres_changes",
      status,
      message: status === "ok" ? "Subscribed to PostgreSQL" : "Changes are interrupted",
      channel: found.topic.replace("realtime:", ""),
    });
  }

  answer(socket: TestSocket, [joinRef, ref, topic, event, payload]: Message): void {
    const found = { socket, topic, joinRef, filters: [] as Subscription["filters"] };
    let response: object = {};
    if (event === "phx_join") {
      const config = payload.config as { postgres_changes: Subscription["filters"] };
      found.filters = config.postgres_changes;
      response = {
        postgres_changes: found.filters.map((each, index) => ({ ...each, id: index + 1 })),
      };
    }
    this.push(found, "phx_reply", { status: "ok", response }, ref);
    if (event === "phx_join") {
      this.subscriptions.push(found);
      this.announce(found, "ok");
    }
    if (event === "phx_leave") {
      const index = this.subscriptions.findIndex((each) => each.topic === topic);
      if (index >= 0) this.subscriptions.splice(index, 1);
    }
  }

  private push(
    { socket, joinRef, topic }: Subscription,
    event: string,
    payload: object,
    ref: string | null = null,
  ): void {
    const data = JSON.stringify([joinRef, ref, topic, event, payload]);
    queueMicrotask(() => socket.onmessage?.({ data }));
  }
}
