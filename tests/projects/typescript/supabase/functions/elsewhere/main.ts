Deno.serve(() => Response.json({ file: "main.ts" }))
