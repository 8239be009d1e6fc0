"""The `supabase` command: the official CLI's verbs over a stack that needs no Docker. One file a verb."""
