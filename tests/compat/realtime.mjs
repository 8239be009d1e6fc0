// The official JavaScript client's Realtime, outside a browser: prints one JSON object of what it saw.
// node --experimental-websocket realtime.mjs URL KEY SERVICE_KEY EMAIL PASSWORD VERSION
import { createClient } from "@supabase/supabase-js";

const [url, key, serviceKey, email, password, vsn] = process.argv.slice(2);
const options = {
  auth: { persistSession: false, autoRefreshToken: false },
  realtime: { vsn, timeout: 5000 },
};
const connect = (apiKey) => createClient(url, apiKey, options);
const seen = {};

function joined(channel) {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve(error ? `${status}: ${error.message}` : status));
  });
}

function first(channel, type, filter) {
  return new Promise((resolve) => channel.on(type, filter, resolve));
}

// Broadcast: to others, to oneself, acknowledged.
const alice = connect(key);
const bob = connect(key);
const room = alice.channel("lobby", { config: { broadcast: { self: true, ack: true } } });
const other = bob.channel("lobby");
const own = first(room, "broadcast", { event: "hello" });
const others = first(other, "broadcast", { event: "hello" });
seen.joined = [await joined(room), await joined(other)];
seen.sent = await room.send({ type: "broadcast", event: "hello", payload: { text: "grüß dich 👋", n: 1 } });
seen.own = await own;
seen.others = await others;

// Bytes.
const bytes = first(other, "broadcast", { event: "bytes" });
if (vsn === "2.0.0") {
  seen.sentBytes = await room.send({ type: "broadcast", event: "bytes", payload: new Uint8Array([0, 1, 254, 255]).buffer });
  seen.bytes = [...new Uint8Array((await bytes).payload)];
}

// Over HTTP, without a socket.
const overHttp = first(other, "broadcast", { event: "http" });
const sender = connect(key).channel("lobby");
seen.httpSent = await sender.httpSend("http", { from: "http" });
seen.http = await overHttp;
const batch = first(other, "broadcast", { event: "batch" });
const warn = console.warn;
console.warn = () => {};
seen.batchSent = await sender.send({ type: "broadcast", event: "batch", payload: { from: "batch" } });
console.warn = warn;
seen.batch = await batch;

// Presence.
const here = alice.channel("here", { config: { presence: { key: "alice" } } });
const there = bob.channel("here", { config: { presence: { key: "bob" } } });
const steps = [];
const left = new Promise((resolve) => {
  here.on("presence", { event: "join" }, ({ key: who, newPresences }) => steps.push(["join", who, newPresences[0].mood]));
  here.on("presence", { event: "leave" }, ({ key: who }) => {
    steps.push(["leave", who]);
    if (who === "bob") resolve();
  });
});
const synced = new Promise((resolve) => there.on("presence", { event: "sync" }, () => resolve()));
await joined(here);
seen.tracked = await here.track({ mood: "fine" });
await joined(there);
await synced;
seen.present = Object.fromEntries(Object.entries(there.presenceState()).map(([who, metas]) => [who, metas.map((m) => m.mood)]));
await there.track({ mood: "tired" });
seen.untracked = await there.untrack();
await left;
seen.steps = steps;

// Changes of the database, under policies.
const { data: signedIn } = await alice.auth.signInWithPassword({ email, password });
await alice.realtime.setAuth();
const changes = [];
const notes = alice.channel("notes");
let count = 0;
let arrived = () => {};
const until = (number) =>
  new Promise((resolve) => {
    arrived = () => count >= number && resolve();
    arrived();
  });
const collect = (name) => (payload) => {
  changes.push([name, payload.eventType, payload.new.body ?? null, payload.errors]);
  count += 1;
  arrived();
};
notes.on("postgres_changes", { event: "*", schema: "public", table: "notes" }, collect("all"));
notes.on("postgres_changes", { event: "INSERT", schema: "public", table: "notes", filter: "body=eq.mine" }, collect("mine"));
const ready = new Promise((resolve) => notes.on("system", {}, resolve));
seen.notes = await joined(notes);
seen.system = await ready;
const service = connect(serviceKey);
const write = async (request) => {
  const { error } = await request;
  if (error) throw new Error(error.message);
};
await write(service.from("notes").insert({ author: "00000000-0000-0000-0000-000000000000", body: "another's" }));
await write(service.from("notes").insert({ author: signedIn.user.id, body: "mine" }));
// What has gone before it is looked at is not shown: each change waits for the one before.
await until(2);
await write(service.from("notes").update({ body: "changed" }).eq("body", "mine"));
await until(3);
await write(service.from("notes").delete().eq("body", "changed"));
await until(4);
seen.changes = changes;

// Private channels.
await write(service.from("room_members").insert({ room: `js-${vsn}`, user_id: signedIn.user.id, is_owner: true }));
const secret = alice.channel(`room:js-${vsn}`, { config: { private: true, broadcast: { self: true, ack: true } } });
const whispered = first(secret, "broadcast", { event: "whisper" });
seen.private = await joined(secret);
seen.privateSent = await secret.send({ type: "broadcast", event: "whisper", payload: { text: "psst" } });
seen.whispered = await whispered;
seen.strangers = await joined(bob.channel(`room:js-${vsn}`, { config: { private: true } }));

// Earlier messages of a private channel, and those that the database sends.
const writeRpc = (name, parameters) => write(service.schema("public").rpc(name, parameters));
const live = first(secret, "broadcast", { event: "from-database" });
await writeRpc("send_to_room", { room: `js-${vsn}`, event: "from-database", number: 1 });
seen.live = (await live).payload.number;
const replaying = connect(key);
await replaying.auth.signInWithPassword({ email, password });
await replaying.realtime.setAuth();
const history = replaying.channel(`room:js-${vsn}`, {
  config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 5 } } },
});
const replayed = first(history, "broadcast", { event: "from-database" });
seen.history = await joined(history);
const { payload: earlier, meta } = await replayed;
seen.replayed = [earlier.number, meta.replayed, typeof meta.id];

// A new connection after a lost one, heartbeats, and the rest of the interface.
const beats = [];
bob.realtime.onHeartbeat((status) => beats.push(status));
await bob.realtime.sendHeartbeat();
await new Promise((resolve) => setTimeout(resolve, 200));
seen.beats = [...new Set(beats)];
seen.states = [bob.realtime.isConnected(), bob.realtime.connectionState(), bob.realtime.isConnecting(), bob.realtime.isDisconnecting()];
const again = connect(key).channel("again");
const rejoined = new Promise((resolve) => {
  let times = 0;
  again.subscribe((status) => {
    if (status === "SUBSCRIBED") times += 1;
    if (status === "SUBSCRIBED" && times === 1) again.socket.socketAdapter.getSocket().conn.close();
    if (times === 2) resolve("rejoined");
  });
});
seen.reconnected = await rejoined;
again.teardown();
seen.tornDown = again.state;

seen.topics = alice.getChannels().map((channel) => channel.topic);
seen.removed = await alice.removeChannel(room);
seen.allRemoved = await bob.removeAllChannels();
seen.unsubscribed = await notes.unsubscribe();
await alice.realtime.disconnect();
await bob.realtime.disconnect();
console.log(JSON.stringify(seen));
process.exit(0);
