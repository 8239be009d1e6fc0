// A row inserted as soon as a channel is SUBSCRIBED: prints one line of JSON for each race, and waits for a line before the next.
// node --experimental-websocket subscribed.mjs URL KEY
import { createInterface } from "node:readline";
import { createClient } from "@supabase/supabase-js";

const [url, key] = process.argv.slice(2);
const client = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
const table = { event: "INSERT", schema: "public", table: "races" };
const LOST_AFTER = 5000;

async function race(id) {
  const began = performance.now();
  const seen = { id, joined: null, arrived: false };
  const channel = client.channel(`race-${id}`);
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, LOST_AFTER);
    channel.on("postgres_changes", { ...table, filter: `id=eq.${id}` }, () => {
      seen.arrived = true;
      clearTimeout(timer);
      resolve();
    });
    channel.subscribe(async (status, error) => {
      seen.status = error ? `${status}: ${error.message}` : status;
      if (status !== "SUBSCRIBED") return;
      seen.joined = performance.now() - began;
      const { error: refused } = await client.from("races").insert({ id });
      if (refused) throw refused;
    });
  });
  await channel.unsubscribe();
  console.log(JSON.stringify(seen));
}

for await (const line of createInterface({ input: process.stdin })) await race(Number(line));
process.exit(0);
