-- The catalogue: what can be printed on. One row per colour and size.

create table public.product_variants (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name like '_% - _%'),
  color_hex text not null default '#CCCCCC' check (color_hex ~ '^#[0-9A-Fa-f]{6}$'),
  printify_variant_id integer not null unique check (printify_variant_id > 0),
  created_at timestamptz not null default now()
);
comment on table public.product_variants is
  'Shirts by colour and size. Everybody reads; writing is deliberately not granted to any API role but service_role: '
  'the catalogue comes from the seed and from catalogue syncs.';
comment on column public.product_variants.name is '''Black - XL'': the colour before the last '' - '', the size after it.';
comment on column public.product_variants.printify_variant_id is 'The printer''s id of this colour and size within the blueprint we sell.';

alter table public.product_variants enable row level security;
grant select on public.product_variants to anon, authenticated;
grant select, insert, update, delete on public.product_variants to service_role;

create policy "everybody reads the catalogue" on public.product_variants
  for select to anon, authenticated using (true);
