// functions-js as applications use it: prints one JSON object of what each kind of body, response and error became.
// node functions.mjs URL KEY TOKEN
import { FunctionRegion, FunctionsClient } from "@supabase/functions-js";

const [url, key, token] = process.argv.slice(2);
const client = new FunctionsClient(`${url}/functions/v1`, { headers: { apikey: key } });
const seen = {};
const kinds = ["json", "text", "blob", "file", "buffer", "form", "empty"];

function bodyOf(kind) {
  const bytes = new Uint8Array([0, 1, 2, 255]);
  if (kind === "json") return { name: "Ada", list: [1, null] };
  if (kind === "text") return "plain ✓";
  if (kind === "blob") return new Blob([bytes]);
  if (kind === "file") return new File([bytes], "a.bin");
  if (kind === "buffer") return bytes.buffer;
  if (kind === "empty") return undefined;
  const form = new FormData();
  form.append("greeting", "hello ✓");
  form.append("file", new Blob([bytes]), "a.bin");
  return form;
}

seen.bodies = {};
for (const kind of kinds) {
  const { data, error } = await client.invoke("bodies", { body: bodyOf(kind) });
  seen.bodies[kind] = error ? String(error) : data;
}

seen.methods = {};
for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
  const { data } = await client.invoke("bodies", { method });
  seen.methods[method] = data.method;
}

seen.headers = (await client.invoke("bodies", { headers: { "x-custom": "mine" } })).data.custom;
seen.ownType = (await client.invoke("bodies", { body: { a: 1 }, headers: { "content-type": "application/ld+json" } })).data;
seen.region = (await client.invoke("bodies", { region: FunctionRegion.EuWest1 })).data.region;
const regional = new FunctionsClient(`${url}/functions/v1`, { region: FunctionRegion.UsEast1 });
seen.clientRegion = (await regional.invoke("bodies")).data.region;

async function stringOf(data) {
  if (data instanceof FormData) return { form: data.get("greeting"), file: (await data.get("file").arrayBuffer()).byteLength };
  if (data instanceof Blob) return { blob: [...new Uint8Array(await data.arrayBuffer())].length };
  if (data instanceof Response) return { events: await data.text() };
  return data;
}
seen.responses = {};
for (const kind of ["json", "text", "blob", "pdf", "form", "events"]) {
  const { data, error, response } = await client.invoke("bodies", { headers: { "x-answer": kind } });
  seen.responses[kind] = error ? String(error) : [response.status, await stringOf(data)];
}

const refused = await client.invoke("bodies", { headers: { "x-answer": "error" } });
seen.httpError = [refused.error.name, refused.response.status, await refused.error.context.json()];
const missing = await client.invoke("missing");
seen.relayError = [missing.error.name, missing.response.status, await missing.error.context.json()];
const unreachable = await new FunctionsClient("http://127.0.0.1:1").invoke("bodies");
seen.fetchError = [unreachable.error.name, unreachable.data];

// An API key names a caller too: this client has none.
const keyless = new FunctionsClient(`${url}/functions/v1`);
const withoutToken = await keyless.invoke("neighbour");
keyless.setAuth(token);
seen.setAuth = [withoutToken.response.status, (await keyless.invoke("neighbour")).data];

const events = await client.invoke("stream?do=events", { method: "GET" });
const reader = events.data.body.getReader();
seen.firstEvent = new TextDecoder().decode((await reader.read()).value).split("\n")[0];

const aborting = new AbortController();
const aborted = client.invoke("stream?do=endless&name=js-aborted", { method: "GET", signal: aborting.signal });
setTimeout(() => aborting.abort(), 200);
seen.aborted = String((await aborted).error?.name ?? "none");
const late = await client.invoke("stream?do=endless&name=js-late", { method: "GET", timeout: 200 });
seen.timeout = String(late.error?.name ?? "none");
seen.ended = [];
for (const name of ["js-aborted", "js-late"]) {
  seen.ended.push((await client.invoke(`stream?do=closed&name=${name}`, { method: "GET" })).data.closed);
}

// The client makes `{}` of a stream; fetch sends it as it is.
const sent = await fetch(`${url}/functions/v1/bodies`, {
  method: "POST",
  duplex: "half",
  body: new Blob(["part one, ", "part two"]).stream(),
});
seen.stream = [(await sent.json()).size, (await client.invoke("bodies", { body: new ReadableStream() })).data.json];
process.stdout.write(JSON.stringify(seen), () => process.exit(0));
