/** How the two links of a change of e-mail come back, and what the profile says then. */
import type { User } from "@supabase/supabase-js";

export const EMAIL_RETURN = "/profile?email=changed";

const FAILED =
  "This link has been used already, or it is too old. If your email below is still the old one, change it once more.";

/** Auth's own words in the address are not shown: whoever wrote the link chose them. */
export function emailNotice(search: string, hash: string, user: User): string | undefined {
  const query = new URLSearchParams(search);
  const values = new URLSearchParams([...query, ...new URLSearchParams(hash.slice(1))]);
  if (values.has("error") || values.has("error_code")) return FAILED;
  if (user.new_email) {
    return values.has("message")
      ? "One address is confirmed. Now open the link in the other mail too."
      : `We sent a mail to ${user.email} and one to ${user.new_email}. Open the link in both; until then your email stays as it is.`;
  }
  return query.get("email") === "changed" ? `Your email is ${user.email} now.` : undefined;
}
