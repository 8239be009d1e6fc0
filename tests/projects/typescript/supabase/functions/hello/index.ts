import "jsr:@supabase/functions-js/edge-runtime.d.ts"
import { corsHeaders } from "../_shared/cors.ts"

Deno.serve(async (request) => {
  if (request.method === "OPTIONS") return new Response("ok", { headers: corsHeaders })
  const { name } = await request.json()
  return new Response(JSON.stringify({ message: `Hello ${name}!`, key: Deno.env.get("KEY_OF_THE_FILE") }), {
    headers: { ...corsHeaders, "Content-Type": "application/json" },
  })
})
