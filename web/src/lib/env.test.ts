import { expect, test } from "vitest";
import { parseEnv, SettingsError } from "./env";

const complete = {
  SUPABASE_URL: "http://127.0.0.1:54321/",
  SUPABASE_KEY: "sb_publishable_x",
  STRIPE_PUBLISHABLE_KEY: "pk_test_x",
};

test("what is not said comes from the real vendors, and addresses lose their last slash", () => {
  expect(parseEnv(JSON.stringify(complete))).toEqual({
    SUPABASE_URL: "http://127.0.0.1:54321",
    SUPABASE_KEY: "sb_publishable_x",
    STRIPE_PUBLISHABLE_KEY: "pk_test_x",
    STRIPE_JS_URL: "https://js.stripe.com/",
    MOCKUP_BASE_URL: "https://images.printify.com",
  });
});

test("functions may have an address of their own", () => {
  const FUNCTIONS_URL = "https://functions.example/shop/";
  const env = parseEnv(JSON.stringify({ ...complete, FUNCTIONS_URL }));
  expect(env.FUNCTIONS_URL).toBe("https://functions.example/shop");
});

test("every missing or malformed setting is named at once", () => {
  const read = () => parseEnv(JSON.stringify({ SUPABASE_URL: "localhost" }));
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(/SUPABASE_URL.*SUPABASE_KEY.*STRIPE_PUBLISHABLE_KEY/);
});

test("a page without settings says so instead of failing to parse", () => {
  expect(() => parseEnv(null)).toThrow(SettingsError);
});
