import { greeting } from "greeting"
Deno.serve(() => Response.json({ greeting }))
