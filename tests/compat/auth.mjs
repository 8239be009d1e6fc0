// Accounts and sessions through the official JavaScript client: prints one JSON object of what it saw.
// node auth.mjs URL KEY SECRET_KEY EMAIL PASSWORD
import { createClient } from "@supabase/supabase-js";

const [url, key, secret, email, password] = process.argv.slice(2);
const seen = {};

function clientWith(apiKey, options = {}) {
  return createClient(url, apiKey, {
    auth: { persistSession: false, autoRefreshToken: false, ...options },
    // Realtime is not used here; older Node has no WebSocket for the client to find.
    realtime: { transport: class {} },
  });
}

function only(result) {
  if (result.error) throw result.error;
  return result.data;
}

const refusal = ({ error }) => ({ code: error.code ?? null, status: error.status });
const admin = clientWith(secret).auth.admin;
const { auth } = clientWith(key);

const events = [];
const { data: listening } = auth.onAuthStateChange((event) => events.push(event));
seen.initialized = (await auth.initialize()).error;
const signedUp = only(await auth.signUp({ email, password, options: { data: { plan: "free" } } }));
seen.signedUp = { email: signedUp.user.email, plan: signedUp.user.user_metadata.plan };
const claims = only(await auth.getClaims());
seen.claims = claims.claims.sub === signedUp.user.id;
seen.user = only(await auth.getUser()).user.id === signedUp.user.id;
seen.updated = only(await auth.updateUser({ data: { plan: "paid" } })).user.user_metadata.plan;
seen.reauthenticated = (await auth.reauthenticate()).error;
seen.refreshed = only(await auth.refreshSession()).session.refresh_token !== signedUp.session.refresh_token;

const session = only(await auth.getSession()).session;
const other = clientWith(key).auth;
seen.set = only(await other.setSession(session)).user.email;
seen.signedOut = [(await auth.signOut()).error, (await other.getUser()).error.name];
listening.subscription.unsubscribe();
seen.events = events;

seen.otp = (await auth.signInWithOtp({ email })).error;
seen.recovery = (await auth.resetPasswordForEmail(email)).error;
seen.resent = (await auth.resend({ type: "signup", email })).error;
const byCode = only(await admin.generateLink({ type: "magiclink", email })).properties;
seen.byCode = only(await auth.verifyOtp({ email, token: byCode.email_otp, type: "email" })).user.email;
const byHash = only(await admin.generateLink({ type: "recovery", email })).properties;
seen.byHash = only(await auth.verifyOtp({ token_hash: byHash.hashed_token, type: "recovery" })).user.email;

seen.sso = refusal(await auth.signInWithSSO({ domain: "example.com" }));
seen.web3 = refusal(await auth.signInWithWeb3({ chain: "solana", message: "m", signature: new Uint8Array([1]) }));
const providers = admin.customProviders;
seen.providers = [
  await providers.listProviders(),
  await providers.createProvider({ provider_type: "oidc", identifier: "custom:a", name: "a", client_id: "a", client_secret: "a" }),
  await providers.getProvider("custom:a"),
  await providers.updateProvider("custom:a", { name: "b" }),
  await providers.deleteProvider("custom:a"),
].map(refusal);

// What the installed client calls experimental, and upstream's server does not have yet.
const bold = clientWith(key, { experimental: { recoveryCodes: true, passkey: true } }).auth;
only(await bold.signInWithPassword({ email, password }));
const { recoveryCodes } = bold.mfa;
seen.recoveryCodes = [
  await recoveryCodes.getStatus(),
  await recoveryCodes.generate({}),
  await recoveryCodes.verify({ code: "abcd" }),
  await recoveryCodes.regenerate(),
  await recoveryCodes.unenroll(),
].map((result) => [result.error.name, result.error.status ?? null]);
seen.passkey = Object.keys(only(await bold.passkey.startAuthentication())).sort();
const securityKey = only(await bold.mfa.webauthn.enroll({ friendlyName: "key" }));
seen.webauthn = securityKey.type;
const listed = () => admin.mfa.listFactors({ userId: signedUp.user.id }).then((result) => only(result).factors.length);
const before = await listed();
const deleted = await admin.mfa.deleteFactor({ userId: signedUp.user.id, id: securityKey.id });
seen.factors = { before, error: deleted.error, after: await listed() };

// A token that is good for an hour stays as it is.
const ticking = clientWith(key).auth;
const short = only(await ticking.signInWithPassword({ email, password })).session;
await ticking.startAutoRefresh();
await ticking.stopAutoRefresh();
seen.ticking = only(await ticking.getSession()).session.access_token === short.access_token;
seen.throws = [ticking, clientWith(key, { throwOnError: true }).auth].map((each) => Boolean(each.isThrowOnErrorEnabled()));
await ticking.dispose();
seen.disposed = true;

process.stdout.write(JSON.stringify(seen));
