/** The shop's services at the network: canned responses by method and path, and a record of the requests. */
import { vi } from "vitest";
import { SESSION_STORAGE_KEY } from "@/lib/supabase/client";

export interface RecordedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

type CannedResponse = { status?: number; body?: unknown; headers?: Record<string, string> };
export type Handler =
  | CannedResponse
  | ((request: RecordedRequest) => CannedResponse | Promise<CannedResponse>);

export const DESIGN_ID = "22222222-2222-4222-8222-222222222222";

export const USER = {
  id: "11111111-1111-4111-8111-111111111111",
  aud: "authenticated",
  role: "authenticated",
  email: "ada@teesmith.example",
  app_metadata: {},
  user_metadata: {},
  created_at: "2026-01-01T00:00:00Z",
};

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export const SESSION = {
  access_token: `${encode({ alg: "HS256" })}.${encode({ sub: USER.id, session_id: "session-1", exp: 4_000_000_000 })}.c2ln`,
  refresh_token: "refresh",
  token_type: "bearer",
  expires_in: 3600,
  expires_at: 4_000_000_000,
  user: USER,
};

export const PROFILE = {
  id: USER.id,
  username: "Ada Lovelace",
  name: "Ada",
  is_admin: false,
  public_name: null,
};

/** As much of XMLHttpRequest as uploads use. */
abstract class Upload {
  abstract respond: (input: string, init: RequestInit) => Promise<Response>;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  status = 0;
  responseText = "";
  private input = "";
  private method = "";
  open(method: string, input: string) {
    this.method = method;
    this.input = input;
  }
  setRequestHeader() {}
  async send(body: Blob) {
    this.upload.onprogress?.({ loaded: body.size / 2, total: body.size });
    try {
      const response = await this.respond(this.input, { method: this.method });
      this.status = response.status;
      this.responseText = await response.text();
    } catch {
      this.onerror?.();
      return;
    }
    this.upload.onprogress?.({ loaded: body.size, total: body.size });
    this.onload?.();
  }
}

export class Backend {
  readonly requests: RecordedRequest[] = [];
  private readonly handlers = new Map<string, Handler>();

  constructor() {
    vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
      this.respond(input, init),
    );
    const respond = (input: string, init: RequestInit) => this.respond(input, init);
    vi.stubGlobal(
      "XMLHttpRequest",
      class extends Upload {
        override respond = respond;
      },
    );
    this.on("GET /rest/v1/profiles", { body: PROFILE });
    this.on("POST /rest/v1/user_sessions", { status: 201 });
    this.on("GET /rest/v1/design_jobs", { body: [] });
  }

  on(route: string, handler: Handler): this {
    this.handlers.set(route, handler);
    return this;
  }

  /** A stored session, as if the visitor had signed in before. */
  signedIn(user = USER): this {
    localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ ...SESSION, user }));
    return this;
  }

  requestsTo(route: string): RecordedRequest[] {
    return this.requests.filter((request) => `${request.method} ${request.path}` === route);
  }

  private async respond(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = input instanceof Request ? input : undefined;
    const url = new URL(request?.url ?? String(input));
    const method = init?.method ?? request?.method ?? "GET";
    const text = typeof init?.body === "string" ? init.body : "";
    const recorded: RecordedRequest = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init?.headers ?? request?.headers),
      body: text ? JSON.parse(text) : undefined,
    };
    this.requests.push(recorded);
    const handler = this.handlers.get(`${method} ${url.pathname}`);
    if (!handler) throw new Error(`The test has no answer for ${method} ${url.pathname}`);
    const {
      status = 200,
      body,
      headers,
    } = typeof handler === "function" ? await handler(recorded) : handler;
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
  }
}
