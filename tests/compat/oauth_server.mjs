// The OAuth server through the official JavaScript client: prints one JSON object of what it saw.
// node oauth_server.mjs URL KEY SERVICE_ROLE_KEY EMAIL PASSWORD
import { createHash, randomBytes } from "node:crypto";
import { createClient } from "@supabase/supabase-js";

const [url, key, serviceRoleKey, email, password] = process.argv.slice(2);
const options = { auth: { persistSession: false, autoRefreshToken: false }, realtime: { transport: class {} } };
const client = createClient(url, key, options);
const admin = createClient(url, serviceRoleKey, options).auth.admin.oauth;
const redirect = "https://app.example.com/callback";
const seen = {};

// What the other application does: it sends its user to the server, and gets the id of its request.
async function authorizationId(clientId, scope) {
  const challenge = createHash("sha256").update(randomBytes(32).toString("hex")).digest("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirect,
    scope,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const response = await fetch(`${url}/auth/v1/oauth/authorize?${query}`, { redirect: "manual" });
  return new URL(response.headers.get("location")).searchParams.get("authorization_id");
}

const { data: made } = await admin.createClient({ client_name: "From JavaScript", redirect_uris: [redirect] });
seen.made = { name: made.client_name, type: made.client_type, secret: typeof made.client_secret };
const { data: read } = await admin.getClient(made.client_id);
seen.read = { name: read.client_name, secret: read.client_secret ?? null };
const { data: changed } = await admin.updateClient(made.client_id, { client_name: "Renamed" });
seen.changed = changed.client_name;
const { data: renewed } = await admin.regenerateClientSecret(made.client_id);
seen.renewed = renewed.client_secret !== made.client_secret;
const { data: listed } = await admin.listClients({ page: 1, perPage: 5 });
seen.listed = { first: listed.clients[0].client_id === made.client_id, total: listed.total > 0 };

const { oauth } = client.auth;
const stranger = await oauth.getAuthorizationDetails("none");
seen.stranger = stranger.error.name;
await client.auth.signInWithPassword({ email, password });

const first = await authorizationId(made.client_id, "email profile");
const { data: details } = await oauth.getAuthorizationDetails(first);
seen.details = { client: details.client.name, email: details.user.email, scope: details.scope, uri: details.redirect_uri };
const { data: approved } = await oauth.approveAuthorization(first, { skipBrowserRedirect: true });
seen.approved = new URL(approved.redirect_url).searchParams.has("code");
const again = await oauth.approveAuthorization(first, { skipBrowserRedirect: true });
seen.again = { code: again.error.code, status: again.error.status };

const { data: remembered } = await oauth.getAuthorizationDetails(await authorizationId(made.client_id, "email"));
seen.remembered = new URL(remembered.redirect_url).searchParams.has("code");

const other = await authorizationId(made.client_id, "phone");
await oauth.getAuthorizationDetails(other);
const { data: denied } = await oauth.denyAuthorization(other, { skipBrowserRedirect: true });
seen.denied = new URL(denied.redirect_url).searchParams.get("error");

const { data: grants } = await oauth.listGrants();
seen.grants = grants.map((grant) => ({ client: grant.client.name, scopes: grant.scopes }));
const revoked = await oauth.revokeGrant({ clientId: made.client_id });
seen.revoked = revoked.error;
seen.none = (await oauth.listGrants()).data;
const missing = await oauth.revokeGrant({ clientId: made.client_id });
seen.missing = { code: missing.error.code, status: missing.error.status };

seen.gone = (await admin.deleteClient(made.client_id)).error;
const lost = await admin.getClient(made.client_id);
seen.lost = { code: lost.error.code, status: lost.error.status };

process.stdout.write(JSON.stringify(seen));
