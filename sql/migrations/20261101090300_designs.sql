-- Designs: the pictures that people make.

create table public.designs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 2000),
  image_data text check (length(image_data) <= 14000000),
  thumbnail_data text check (length(thumbnail_data) <= 300000),
  image_url text check (length(image_url) <= 2000),
  printify_product_id text check (printify_product_id <> ''),
  selected_colors uuid[] not null default '{}' check (cardinality(selected_colors) <= 50),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.designs is
  'A picture and what it became at the printer. Deliberately not granted to people: setting printify_product_id or '
  'image_url (functions do), and changing the picture of a saved design (its print product would no longer match).';
comment on column public.designs.name is 'The idea''s text for designs made from words, so it may be long.';
comment on column public.designs.image_data is 'Base64 PNG without a data: prefix, at most 10 MB of picture.';
comment on column public.designs.thumbnail_data is 'Base64 JPEG without a data: prefix, longest side 256 px.';
comment on column public.designs.selected_colors is 'Ids of product_variants; the first is the colour shown.';
comment on column public.designs.printify_product_id is 'Set once the print product exists; until then the design cannot be ordered.';

-- "my designs, newest first", page by page
create index designs_user_id_created_at_idx on public.designs (user_id, created_at desc);
-- the admin's "newest 50"
create index designs_created_at_idx on public.designs (created_at desc);
-- the gallery's "name contains"
create index designs_name_trgm_idx on public.designs using gin (name extensions.gin_trgm_ops);

create trigger touch_updated_at before update on public.designs
  for each row execute function private.touch_updated_at();

alter table public.designs enable row level security;
grant select on public.designs to anon, authenticated;
grant insert (user_id, name, image_data, thumbnail_data, selected_colors) on public.designs to authenticated;
grant update (name, updated_at) on public.designs to authenticated;
grant delete on public.designs to authenticated;
grant select, insert, update, delete on public.designs to service_role;

-- Reading published designs is a policy of the gallery (next migration). Private designs are never listed; who has the
-- link reads one through get_shared_design.
create policy "people read their own designs" on public.designs
  for select to authenticated using (user_id = (select auth.uid()));
create policy "admins read all designs" on public.designs
  for select to authenticated using ((select private.is_admin()));
create policy "people save designs under their own name" on public.designs
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "people rename their own designs" on public.designs
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "people delete their own designs" on public.designs
  for delete to authenticated using (user_id = (select auth.uid()));

create function public.get_shared_design(id uuid) returns setof public.designs
language sql stable rows 1 security definer set search_path = '' as $$
  select d.* from public.designs d where d.id = get_shared_design.id;
$$;
comment on function public.get_shared_design(uuid) is
  'The one design behind a share link, private or not: the unguessable id is the key, and there is no way to list.';
revoke all on function public.get_shared_design(uuid) from public;
grant execute on function public.get_shared_design(uuid) to anon, authenticated, service_role;
