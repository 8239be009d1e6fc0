"""Functions in TypeScript as a project of the official CLI has them, for tests."""

from __future__ import annotations

CONFIG = """
[edge_runtime]
memory_limit = "400MiB"
cpu_limit = "1s"
wall_clock_limit = "5s"
secrets = { GREETING = "Good day" }
[functions.open]
verify_jwt = false
[functions.trouble]
verify_jwt = false
[functions.mapped]
verify_jwt = false
import_map = "./maps/mapped.json"
[functions.python]
verify_jwt = false
[functions.named]
verify_jwt = false
entrypoint = "./functions/named/server.ts"
[functions.offline]
verify_jwt = false
[functions.old]
verify_jwt = false
[functions.exported]
verify_jwt = false
[functions.wrong]
verify_jwt = false
[functions.silent]
verify_jwt = false
enabled = false
"""

# What `supabase functions new` of the official CLI makes begins with such an import.
_TYPES = 'import "jsr:@supabase/functions-js/edge-runtime.d.ts"\n'

OPEN = (
    _TYPES
    + """
import { corsHeaders } from "../_shared/cors.ts"
import { shout } from "text/shout.ts"

Deno.serve(async (request: Request, info) => {
  if (request.method === "OPTIONS") return new Response("ok", { headers: corsHeaders })
  const url = new URL(request.url)
  console.log("called with", url.search)
  return Response.json({
    url: request.url,
    method: request.method,
    body: await request.text(),
    headers: [...request.headers.keys()].sort(),
    greeting: shout(Deno.env.get("GREETING") ?? ""),
    own: Deno.env.get("OWN") ?? null,
    address: Deno.env.get("SUPABASE_URL"),
  }, { status: 201, headers: corsHeaders })
})
"""
)

TROUBLE = """
const chunks: Uint8Array[] = []
Deno.serve(async (request: Request) => {
  const what = new URL(request.url).searchParams.get("do")
  if (what === "loop") for (;;);
  if (what === "memory") {
    for (;;) {
      chunks.push(new Uint8Array(16_000_000).fill(1))
      await new Promise((done) => setTimeout(done, 10))
    }
  }
  if (what === "throw") throw new Error("an error of its own")
  if (what === "exit") Deno.exit(3)
  if (what === "sleep") await new Promise((done) => setTimeout(done, 60_000))
  if (what === "stream") {
    const parts = new ReadableStream({
      async start(out) {
        for (let part = 1; part <= 3; part++) {
          out.enqueue(new TextEncoder().encode(`part ${part}\\n`))
          await new Promise((done) => setTimeout(done, 200))
        }
        out.close()
      },
    })
    return new Response(parts, { headers: { "content-type": "text/event-stream" } })
  }
  if (what === "later") {
    EdgeRuntime.waitUntil(new Promise((done) => setTimeout(done, 100)).then(() => console.log("done later")))
    return new Response("soon")
  }
  const tried: Record<string, string> = {}
  const attempts: Record<string, () => unknown> = {
    read: () => Deno.readTextFileSync("/etc/passwd"),
    write: () => Deno.writeTextFileSync("./written.txt", "x"),
    run: () => new Deno.Command("/bin/true").outputSync(),
    variables: () => Object.keys(Deno.env.toObject()).sort().join(" "),
    own: () => Deno.readTextFileSync(new URL("./note.json", import.meta.url)).trim(),
  }
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      tried[name] = String(attempt())
    } catch (error) {
      tried[name] = error.name
    }
  }
  return Response.json({ ...tried, pid: Deno.pid })
})
"""

FILES = {
    "config.toml": CONFIG,
    "maps/mapped.json": '{ "imports": { "where": "./where.ts" } }',
    "maps/where.ts": 'export const where = "the map of config.toml"',
    "functions/.env": "OWN=of the file\n",
    "functions/deno.json": '{ "imports": { "where": "./_shared/where.ts" } }',
    "functions/_shared/where.ts": 'export const where = "the map of all functions"',
    "functions/_shared/cors.ts": 'export const corsHeaders = { "access-control-allow-origin": "*", "x-of": "shared" }',
    "functions/open/deno.json": """{
      // The official CLI's template has its comments here.
      "imports": { "text/": "./text/", "@supabase/functions-js": "jsr:@supabase/functions-js@^2", },
    }""",
    "functions/open/text/shout.ts": "export const shout = (text: string): string => text.toUpperCase()",
    "functions/open/index.ts": OPEN,
    "functions/closed/index.ts": 'import { where } from "where"\nDeno.serve(() => new Response(where))',
    "functions/mapped/index.ts": 'import { where } from "where"\nDeno.serve(() => new Response(where))',
    "functions/named/server.ts": 'Deno.serve({ port: 9 }, () => new Response("by its entrypoint"))',
    "functions/old/index.ts": """import { serve } from "https://deno.land/std@0.168.0/http/server.ts"
serve((_request) => new Response("of before"))""",
    "functions/exported/index.ts": 'export default { fetch: () => new Response("exported") }',
    "functions/offline/index.ts": """import { nothing } from "http://127.0.0.1:9/nothing.ts"
Deno.serve(() => new Response(nothing))""",
    "functions/wrong/index.ts": "Deno.serve(() => { this is no TypeScript",
    "functions/silent/index.ts": 'Deno.serve(() => new Response("not enabled"))',
    "functions/trouble/index.ts": TROUBLE,
    "functions/trouble/note.json": '{"note": 1}',
    "functions/python/main.py": "def python(request):\n    return {'language': 'Python'}\n",
}
