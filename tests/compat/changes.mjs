// The official JavaScript client's changes of the database: prints one line of JSON for each thing that it hears.
// node --experimental-websocket changes.mjs URL KEY '[{"event": …, "schema": …, "table": …, "filter": …, "select": …}, …]'
import { createClient } from "@supabase/supabase-js";

const [url, key, requests] = process.argv.slice(2);
const client = createClient(url, key, {
  auth: { persistSession: false, autoRefreshToken: false },
  realtime: { timeout: 5000, reconnectAfterMs: () => 200 },
});
const print = (line) => console.log(JSON.stringify(line));

const channel = client.channel("changes");
for (const [place, request] of JSON.parse(requests).entries())
  channel.on("postgres_changes", request, (payload) => print({ change: place, payload }));
channel.on("system", {}, (message) => print({ system: message.status, message: message.message }));
channel.subscribe((status) => print({ status }));
// It lives until its input ends.
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
