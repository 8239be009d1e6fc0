-- Prices, as the database knows them.
--
-- functions/_shared/pricing.json is the one place where prices are written; the functions and the web client read that
-- file. A migration cannot read a file, so this function repeats it, and a test fails while the two differ. To change a
-- price: edit the file, and add a migration that replaces this function by the file's new text.

create function public.get_pricing() returns jsonb
language sql immutable set search_path = '' as $$
  select '{
    "currency": "usd",
    "regular_shirt_cents": 2690,
    "shirt_cents": 1990,
    "home_country": "US",
    "home_shipping_cents": 0,
    "abroad_shipping_cents": 590,
    "most_per_size": 10
  }'::jsonb;
$$;
comment on function public.get_pricing() is 'What shirts and shipping cost, in cents. Every order is checked against it as it is placed.';
revoke all on function public.get_pricing() from public;
grant execute on function public.get_pricing() to anon, authenticated, service_role;
