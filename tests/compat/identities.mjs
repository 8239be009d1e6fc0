// The official JavaScript client as administrator, as an anonymous user, and with providers outside: prints one JSON
// object of what it saw.
// node identities.mjs URL PUBLISHABLE_KEY SECRET_KEY SITE EMAIL PASSWORD ID_TOKEN NONCE
import { createClient } from "@supabase/supabase-js";

const [url, key, secret, site, email, password, idToken, nonce] = process.argv.slice(2);
const seen = {};

function clientWith(apiKey) {
  return createClient(url, apiKey, {
    auth: { persistSession: false, autoRefreshToken: false, flowType: "pkce" },
    // Realtime is not used here; older Node has no WebSocket for the client to find.
    realtime: { transport: class {} },
  });
}

function only(result) {
  if (result.error) throw result.error;
  return result.data;
}

async function next(address) {
  const response = await fetch(address, { redirect: "manual" });
  return new URL(response.headers.get("location"));
}

// From the provider's page back to the service, and on to the site, as a browser would go.
async function codeFrom(providersPage) {
  const callback = await next(providersPage);
  const target = await next(`${url}/auth/v1/callback${callback.search}`);
  return target.searchParams.get("code");
}

const admin = clientWith(secret).auth.admin;
const { user } = only(await admin.createUser({ email, password, email_confirm: true, user_metadata: { plan: "free" } }));
seen.created = { email: user.email, metadata: user.user_metadata };
const listed = only(await admin.listUsers({ page: 1, perPage: 1 }));
seen.listed = { users: listed.users.length, last: listed.lastPage >= 1, total: listed.total >= 1 };
seen.read = only(await admin.getUserById(user.id)).user.id === user.id;
seen.updated = only(await admin.updateUserById(user.id, { role: "authenticated", app_metadata: { team: 7 } })).user.app_metadata;
seen.invited = only(await admin.inviteUserByEmail(`invited-${email}`)).user.email;
const link = only(await admin.generateLink({ type: "recovery", email }));
seen.link = Object.keys(link.properties).sort();
seen.refused = (await admin.createUser({ email })).error.code;

const client = clientWith(key);
const signedIn = only(await client.auth.signInWithPassword({ email, password }));
seen.signOut = (await admin.signOut(signedIn.session.access_token)).error;
seen.afterSignOut = (await client.auth.getUser()).error.name;
seen.deleted = (await admin.deleteUser(user.id)).error;

const visitor = clientWith(key);
const anonymous = only(await visitor.auth.signInAnonymously({ options: { data: { theme: "dark" } } }));
seen.anonymous = { is: anonymous.user.is_anonymous, metadata: anonymous.user.user_metadata };
const linking = only(
  await visitor.auth.linkIdentity({
    provider: "google",
    options: { redirectTo: site, skipBrowserRedirect: true, queryParams: { login_hint: `linked-${email}` } },
  }),
);
const linked = only(await visitor.auth.exchangeCodeForSession(await codeFrom(linking.url)));
seen.linked = { same: linked.user.id === anonymous.user.id, is: linked.user.is_anonymous, email: linked.user.email };
const { identities } = only(await visitor.auth.getUserIdentities());
seen.identities = identities.map((identity) => identity.provider);
seen.single = (await visitor.auth.unlinkIdentity(identities[0])).error.code;
const again = only(
  await visitor.auth.linkIdentity({
    provider: "gitlab",
    options: { redirectTo: site, skipBrowserRedirect: true, queryParams: { login_hint: `second-${email}` } },
  }),
);
only(await visitor.auth.exchangeCodeForSession(await codeFrom(again.url)));
const both = only(await visitor.auth.getUserIdentities()).identities;
const second = both.find((identity) => identity.provider === "gitlab");
seen.unlinked = (await visitor.auth.unlinkIdentity(second)).error;

const other = clientWith(key);
const leaving = only(
  await other.auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo: site, skipBrowserRedirect: true, queryParams: { login_hint: `oauth-${email}` } },
  }),
);
const session = only(await other.auth.exchangeCodeForSession(await codeFrom(await next(leaving.url)))).session;
seen.oauth = { email: session.user.email, provider: Boolean(session.provider_token) };
const byToken = only(await clientWith(key).auth.signInWithIdToken({ provider: "google", token: idToken, nonce }));
seen.idToken = byToken.user.email;

console.log(JSON.stringify(seen));
