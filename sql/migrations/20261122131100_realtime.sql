-- What a page shows while it changes elsewhere: an order that the printer and the carrier move on, and a design whose
-- print product gets ready. Row-level security decides who hears of a row, as it decides who reads it. Of a deleted row
-- everyone who listens gets the id, and nothing else.

alter publication supabase_realtime add table public.orders, public.designs;
