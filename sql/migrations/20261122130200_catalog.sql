-- The catalog: what can be printed on. One row per colour and size.

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
  'the catalog comes from the seed and from catalog syncs.';
comment on column public.product_variants.name is '''Black - XL'': the colour before the last '' - '', the size after it.';
comment on column public.product_variants.is_available is
  'Whether it can be ordered. A variant that the printer no longer offers stays, because orders and designs name it; false '
  'hides it from the choice and place_order refuses it.';
comment on column public.product_variants.printify_variant_id is 'The printer''s id of this colour and size within the blueprint we sell.';

alter table public.product_variants enable row level security;
grant select on public.product_variants to anon, authenticated;
grant select, insert, update, delete on public.product_variants to service_role;

create policy "all read the catalog" on public.product_variants
  for select to anon, authenticated using (true);

-- Prices, as the database knows them: place_order checks every order against them. The one place where they are written is
-- shop.toml, which the functions and the web client read; `python -m deploy catalog` gives the database a change.

create table private.price_list (
  only_row boolean primary key default true check (only_row),
  shirt_cents integer not null check (shirt_cents > 0),
  regular_shirt_cents integer not null check (regular_shirt_cents >= shirt_cents),
  shipping_cents integer not null check (shipping_cents >= 0),
  free_shipping_countries text[] not null check (array_position(free_shipping_countries, null) is null),
  most_per_size integer not null check (most_per_size between 1 and 100),
  changed_at timestamptz not null default now()
);
comment on table private.price_list is
  'One row: what shirts and shipping cost, in US cents. Not granted to any API role: get_pricing and set_pricing are the way in.';
alter table private.price_list enable row level security;

insert into private.price_list (shirt_cents, regular_shirt_cents, shipping_cents, free_shipping_countries, most_per_size)
values (1990, 2690, 590, '{US}', 10);

create function public.get_pricing() returns jsonb
language sql stable security definer set search_path = '' as $$
  select to_jsonb(l) - 'only_row' - 'changed_at' from private.price_list l where l.only_row;
$$;
comment on function public.get_pricing() is 'What shirts and shipping cost, in US cents. Every order is checked against it as it is placed.';

create function public.set_pricing(prices jsonb) returns void
language sql security definer set search_path = '' as $$
  update private.price_list l set
    shirt_cents = n.shirt_cents, regular_shirt_cents = n.regular_shirt_cents, shipping_cents = n.shipping_cents,
    free_shipping_countries = n.free_shipping_countries, most_per_size = n.most_per_size, changed_at = now()
  from jsonb_populate_record(null::private.price_list, set_pricing.prices) n
  where l.only_row;
$$;
comment on function public.set_pricing(jsonb) is 'Replaces the price list by shop.toml''s [prices]. Orders that are placed already stay as they are.';

revoke all on function public.get_pricing(), public.set_pricing(jsonb) from public;
grant execute on function public.get_pricing() to anon, authenticated, service_role;
grant execute on function public.set_pricing(jsonb) to service_role;
