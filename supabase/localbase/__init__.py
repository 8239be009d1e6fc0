"""localbase: Supabase's wire protocols in Python, over a real Postgres that comes with it."""
