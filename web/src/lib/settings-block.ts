/** The settings as the server wrote them into the page. env.ts checks them; pages that must be small read single ones. */
const BLOCK = "teesmith-env";

export function settingsText(): string | null | undefined {
  return document.getElementById(BLOCK)?.textContent;
}

/** One setting, unchecked; undefined where the page has none. */
export function readSetting(name: "SUPABASE_URL" | "PROMO_ENDS_AT"): string | undefined {
  const settings: Record<string, unknown> = JSON.parse(settingsText() || "{}");
  const value = settings[name];
  return typeof value === "string" ? value : undefined;
}
