import type { Session } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { Backend, SESSION, USER } from "@/testing/backend";
import { recordSignIn, sessionIdOf } from "./record-sign-in";

const ROUTE = "POST /rest/v1/user_sessions";

test("a sign-in is recorded with its time and browser, and only once", async () => {
  const backend = new Backend();
  await recordSignIn(SESSION as Session);
  await recordSignIn(SESSION as Session);
  expect(backend.requestsTo(ROUTE)).toHaveLength(1);
  expect(backend.requestsTo(ROUTE)[0]?.body).toEqual({
    user_id: USER.id,
    login_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    user_agent: navigator.userAgent,
  });
});

test("a session is known by the claim of its token", () => {
  expect(sessionIdOf(SESSION.access_token)).toBe("session-1");
  expect(sessionIdOf("not a token")).toBeUndefined();
});
