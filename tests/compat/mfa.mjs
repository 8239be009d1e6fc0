// Second factors through the official JavaScript client: prints one JSON object of what it saw.
// node mfa.mjs URL KEY EMAIL PASSWORD
import { createHmac } from "node:crypto";
import { createClient } from "@supabase/supabase-js";

const [url, key, email, password] = process.argv.slice(2);
const client = createClient(url, key, {
  auth: { persistSession: false, autoRefreshToken: false },
  realtime: { transport: class {} },
});
const { mfa } = client.auth;
const seen = {};

// RFC 6238, as an authenticator app does it.
function codeOf(secret, steps = 0) {
  const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", bytes).update(counter).digest();
  const number = digest.readUInt32BE(digest[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

async function levels() {
  const { data } = await mfa.getAuthenticatorAssuranceLevel();
  return { currentLevel: data.currentLevel, nextLevel: data.nextLevel };
}

async function listed() {
  const { data } = await mfa.listFactors();
  return { all: data.all.length, totp: data.totp.length };
}

await client.auth.signInWithPassword({ email, password });
seen.before = await levels();

const { data: factor } = await mfa.enroll({ factorType: "totp", friendlyName: "app" });
seen.picture = factor.totp.qr_code.startsWith("data:image/svg+xml;utf-8,<svg ");
seen.unproven = await listed();

const { data: challenge } = await mfa.challenge({ factorId: factor.id });
const wrong = await mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: "12345" });
seen.wrong = { code: wrong.error.code, status: wrong.error.status };

await mfa.verify({ factorId: factor.id, challengeId: challenge.id, code: codeOf(factor.totp.secret) });
const { data: raised } = await mfa.getAuthenticatorAssuranceLevel();
seen.after = { ...(await levels()), methods: raised.currentAuthenticationMethods.map((entry) => entry.method) };
seen.listed = await listed();

await client.auth.signInWithPassword({ email, password });
seen.again = await levels();
const refused = await mfa.unenroll({ factorId: factor.id });
seen.refused = { code: refused.error.code, status: refused.error.status };
await mfa.challengeAndVerify({ factorId: factor.id, code: codeOf(factor.totp.secret, 1) });
seen.proven = await levels();
await mfa.unenroll({ factorId: factor.id });
seen.gone = await listed();

process.stdout.write(JSON.stringify(seen));
