/** Realtime at the network: a socket server that joins every channel, and announces what a test has changed. */
import { vi } from "vitest";

type Message = [string | null, string | null, string, string, Record<string, unknown>];

interface Subscription {
  socket: TestSocket;
  topic: string;
  joinRef: string | null;
  filters: { table: string; filter: string }[];
}

// The client outlives a test, so its sockets look the server up at each send.
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
    server?.receive(this, JSON.parse(text) as Message);
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
    for (const subscription of this.subscriptions) {
      const ids = subscription.filters.flatMap((each, index) =>
        each.table === table && each.filter === filter ? [index + 1] : [],
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
      this.push(subscription, "postgres_changes", { ids, data });
    }
  }

  /** Sends the status of the change feed to all subscriptions. */
  system(status: "ok" | "error"): void {
    for (const subscription of this.subscriptions) this.sendStatus(subscription, status);
  }

  private sendStatus(subscription: Subscription, status: "ok" | "error"): void {
    this.push(subscription, "system", {
      extension: "postgres_changes",
      status,
      message: status === "ok" ? "Subscribed to PostgreSQL" : "Changes are interrupted",
      channel: subscription.topic.replace("realtime:", ""),
    });
  }

  receive(socket: TestSocket, [joinRef, ref, topic, event, payload]: Message): void {
    const subscription = { socket, topic, joinRef, filters: [] as Subscription["filters"] };
    let response: object = {};
    if (event === "phx_join") {
      const config = payload.config as { postgres_changes: Subscription["filters"] };
      subscription.filters = config.postgres_changes;
      response = {
        postgres_changes: subscription.filters.map((each, index) => ({ ...each, id: index + 1 })),
      };
    }
    this.push(subscription, "phx_reply", { status: "ok", response }, ref);
    if (event === "phx_join") {
      this.subscriptions.push(subscription);
      this.sendStatus(subscription, "ok");
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
