-- Designs: the images that users make, and the gallery of those that are public.

create table public.designs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 2000),
  image_data text check (length(image_data) <= 14000000),
  thumbnail_data text check (length(thumbnail_data) <= 300000),
  image_url text,
  thumbnail_url text,
  printify_product_id text check (printify_product_id <> ''),
  selected_colors uuid[] not null default '{}' check (cardinality(selected_colors) <= 50),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint designs_name_visible_check check (private.is_visible_text(name) and name = private.clean_text(name)),
  -- one's own folder of the bucket: a row cannot name another's object, or another site
  constraint designs_image_url_check check (image_url = user_id::text || '/' || id::text || '/picture.png'),
  constraint designs_thumbnail_url_check check (thumbnail_url = user_id::text || '/' || id::text || '/thumbnail.jpg')
);
comment on table public.designs is
  'A picture and what it became at the printer. Deliberately not granted to users: setting printify_product_id '
  '(functions do), and changing the picture of a saved design (its print product would no longer match).';
comment on column public.designs.name is 'The idea''s text for designs made from words, so it may be long.';
comment on column public.designs.image_data is
  'Base64 PNG without a data: prefix, at most 10 MB of picture; null where image_url names an object.';
comment on column public.designs.thumbnail_data is 'Base64 JPEG without a data: prefix, longest side 256 px.';
comment on column public.designs.image_url is 'The picture''s name in the bucket designs (design_pictures.sql).';
comment on column public.designs.thumbnail_url is 'The small picture''s name in the bucket designs; a trigger sets it.';
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
grant insert (user_id, name, image_data, thumbnail_data, image_url, selected_colors) on public.designs to authenticated;
grant update (name, updated_at) on public.designs to authenticated;
grant delete on public.designs to authenticated;
grant select, insert, update, delete on public.designs to service_role;

-- Reading published designs is a policy of the gallery, below. Private designs are never listed; a holder of the link
-- reads one through get_shared_design.
create policy "users read their own designs" on public.designs
  for select to authenticated using (user_id = (select auth.uid()));
create policy "admins read all designs" on public.designs
  for select to authenticated using ((select private.is_admin()));
create policy "users save designs under their own name" on public.designs
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "users rename their own designs" on public.designs
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "users delete their own designs" on public.designs
  for delete to authenticated using (user_id = (select auth.uid()));

-- Gallery: which designs are public, and their likes -------------------------------------------------------------------

create table public.public_designs (
  id uuid primary key default gen_random_uuid(),
  design_id uuid not null unique references public.designs (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table public.public_designs is
  'A row means that the design is public, since created_at. Deliberately not granted: update (publish again instead) '
  'and choosing the publish time.';

-- the gallery, newest first
create index public_designs_created_at_idx on public.public_designs (created_at desc, id);
-- "has this person published anything?" (whose names may be read), and the key's other side
create index public_designs_user_id_idx on public.public_designs (user_id);

create function private.owns_design(design uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from public.designs d where d.id = owns_design.design and d.user_id = (select auth.uid()));
$$;
revoke all on function private.owns_design(uuid) from public;
grant execute on function private.owns_design(uuid) to authenticated;

alter table public.public_designs enable row level security;
grant select on public.public_designs to anon, authenticated;
grant insert (design_id, user_id) on public.public_designs to authenticated;
grant delete on public.public_designs to authenticated;
grant select, insert, update, delete on public.public_designs to service_role;

create policy "all see what is public" on public.public_designs
  for select to anon, authenticated using (true);
create policy "owners with a public name publish" on public.public_designs
  for insert to authenticated
  with check (user_id = (select auth.uid()) and private.owns_design(design_id) and (select private.has_public_name()));
create policy "owners take back" on public.public_designs
  for delete to authenticated using (user_id = (select auth.uid()));

create policy "all read public designs" on public.designs
  for select to anon, authenticated
  using (exists (select 1 from public.public_designs p where p.design_id = designs.id));

create table public.design_likes (
  id uuid primary key default gen_random_uuid(),
  design_id uuid not null references public.designs (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (design_id, user_id)
);
comment on table public.design_likes is
  'Who likes which public design. Anonymous visitors count rows but are deliberately not granted user_id; signed-in '
  'people are, because they ask for their own likes by it, so among signed-in people a like is a public act '
  '(the id leads to a name only for those who publish).';
create index design_likes_user_id_idx on public.design_likes (user_id);

alter table public.design_likes enable row level security;
grant select (id, design_id, created_at) on public.design_likes to anon;
grant select on public.design_likes to authenticated;
grant insert (design_id, user_id) on public.design_likes to authenticated;
grant delete on public.design_likes to authenticated;
grant select, insert, update, delete on public.design_likes to service_role;

create policy "all count likes of public designs" on public.design_likes
  for select to anon, authenticated
  using (exists (select 1 from public.public_designs p where p.design_id = design_likes.design_id));
create policy "users see their own likes" on public.design_likes
  for select to authenticated using (user_id = (select auth.uid()));
create policy "users like public designs" on public.design_likes
  for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.public_designs p where p.design_id = design_likes.design_id)
  );
create policy "users unlike" on public.design_likes
  for delete to authenticated using (user_id = (select auth.uid()));

-- The gallery's search. Under row security Postgres may not look into the trigram index before it knows which rows a
-- visitor may read, so "name contains" over the tables reads every public design. This function holds the rule itself:
-- only what is public leaves it, as the table's own rows, so that callers embed, order, page and count as on the table.

-- The designs are looked up as a list, not joined: a word that one design in a hundred has does not read all that is public
-- (8 ms instead of 20 among 100,000).
create function public.search_public_designs(search text) returns setof public.public_designs
language sql stable security definer set search_path = '' as $$
  select p.*
  from public.public_designs p
  where p.design_id = any (array(
    select d.id
    from public.designs d
    where d.name ilike '%' || regexp_replace(search_public_designs.search, '([\\%_])', '\\\1', 'g') || '%'
  ));
$$;
comment on function public.search_public_designs(text) is
  'The public designs whose name contains the words, in any case; % and _ mean themselves. Public: it '
  'shows no more than public_designs does.';
revoke all on function public.search_public_designs(text) from public;
grant execute on function public.search_public_designs(text) to anon, authenticated, service_role;

-- Share links --------------------------------------------------------------------------------------------------------

-- A type of its own, so that a column added to designs later does not appear behind every link. (A function that returns a
-- table cannot have an argument with the name of a column, and the argument is `id` in the API.)
create type public.shared_design as (
  id uuid,
  name text,
  image_data text,
  thumbnail_data text,
  image_url text,
  selected_colors uuid[],
  created_at timestamptz,
  is_public boolean,
  published_at timestamptz,
  creator_name text,
  is_owner boolean
);
comment on type public.shared_design is
  'A design as its share link shows it. Deliberately absent: the print product''s id; the owner, and all while the '
  'design is public, read it from designs. image_url, with which the link''s holders have an address signed, begins with '
  'the owner''s id: it opens nothing that is not public.';

create function public.get_shared_design(id uuid) returns setof public.shared_design
language sql stable rows 1 security definer set search_path = '' as $$
  select
    d.id, d.name, d.image_data, d.thumbnail_data, d.image_url, d.selected_colors, d.created_at,
    publication.created_at is not null,
    publication.created_at,
    creator.public_name,
    d.user_id is not distinct from (select auth.uid())
  from public.designs d
  left join public.public_designs publication on publication.design_id = d.id
  left join private.profiles creator on creator.id = d.user_id
  where d.id = get_shared_design.id;
$$;
comment on function public.get_shared_design(uuid) is
  'The one design behind a share link, private or not: the unguessable id is the key, and there is no way to list. '
  'creator_name is null for users without a public name, published_at for private designs.';
revoke all on function public.get_shared_design(uuid) from public;
grant execute on function public.get_shared_design(uuid) to anon, authenticated, service_role;
