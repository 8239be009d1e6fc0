-- The catalogue: what can be printed on. One row per colour and size.

create table public.product_variants (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name like '_% - _%'),
  color_hex text not null default '#CCCCCC' check (color_hex ~ '^#[0-9A-Fa-f]{6}$'),
  printify_variant_id integer not null unique check (printify_variant_id > 0),
  is_available boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table public.product_variants is
  'Shirts by colour and size. Public to read; writing is deliberately not granted to any API role but service_role: '
  'the catalogue comes from the seed and from catalogue syncs.';
comment on column public.product_variants.name is '''Black - XL'': the colour before the last '' - '', the size after it.';
comment on column public.product_variants.is_available is
  'Whether it can be ordered. A variant that the printer no longer offers stays, because orders and designs name it; false '
  'hides it from the choice and place_order refuses it.';
comment on column public.product_variants.printify_variant_id is 'The printer''s id of this colour and size within the blueprint we sell.';

alter table public.product_variants enable row level security;
grant select on public.product_variants to anon, authenticated;
grant select, insert, update, delete on public.product_variants to service_role;

create policy "all read the catalogue" on public.product_variants
  for select to anon, authenticated using (true);

-- Prices, as the database knows them.
--
-- functions/_shared/catalog/pricing.json is the one place where prices are written; the functions and the web client read that
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
