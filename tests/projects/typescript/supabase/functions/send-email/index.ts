// Auth's hook: keeps the mail in a table in place of sending it.
Deno.serve(async (request) => {
  const { user, email_data } = await request.json()
  const response = await fetch(`${Deno.env.get("SUPABASE_URL")}/rest/v1/sent`, {
    method: "POST",
    headers: {
      apikey: Deno.env.get("SUPABASE_SERVICE_ROLE_KEY")!,
      Authorization: `Bearer ${Deno.env.get("SUPABASE_SERVICE_ROLE_KEY")}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({
      address: user.email,
      kind: email_data.email_action_type,
      signed: (request.headers.get("webhook-signature") ?? "").startsWith("v1,"),
    }),
  })
  return new Response("{}", { status: response.ok ? 200 : 500, headers: { "Content-Type": "application/json" } })
})
