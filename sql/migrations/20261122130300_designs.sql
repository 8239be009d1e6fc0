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
-- (with the id, so that they are counted without reading them: the policy looks at user_id and id)
create index designs_user_id_created_at_idx on public.designs (user_id, created_at desc, id);
-- the admin's "newest 50"
create index designs_created_at_idx on public.designs (created_at desc);

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
  created_at timestamptz not null default now(),
  name text not null
);
comment on table public.public_designs is
  'A row means that the design is public, since created_at. Deliberately not granted: update (publish again instead) '
  'and choosing the publish time.';
comment on column public.public_designs.name is 'The design''s name, copied by triggers: the gallery''s search looks only into what is public.';

-- the gallery, newest first
create index public_designs_created_at_idx on public.public_designs (created_at desc, id);
-- "has this person published anything?" (their names may be read), the key's other side, and when (analytics)
create index public_designs_user_id_idx on public.public_designs (user_id, created_at desc);
-- the gallery's "name contains"
create index public_designs_name_pieces_idx on public.public_designs using gin (private.name_pieces(name))
  with (fastupdate = off);

create function private.copy_design_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A share lock waits for a rename that is under way, and makes one that comes now wait: no old name remains.
  new.name := coalesce((select d.name from public.designs d where d.id = new.design_id for share), '');
  return new;
end;
$$;
comment on function private.copy_design_name() is 'Publishes a design under its name, whatever the row says.';
create trigger copy_design_name before insert on public.public_designs
  for each row execute function private.copy_design_name();

create function private.rename_public_design() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.public_designs p set name = new.name where p.design_id = new.id;
  return null;
end;
$$;
comment on function private.rename_public_design() is 'A renamed design has its new name in the gallery''s search too.';
create trigger rename_public_design after update of name on public.designs
  for each row when (old.name is distinct from new.name) execute function private.rename_public_design();
revoke all on function private.copy_design_name(), private.rename_public_design() from public;

-- Likes and profiles ask by these functions, row by row through an index: an `exists` becomes a hash of all that is public
-- there, for 24 rows too.
create function private.is_public(design uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from public.public_designs p where p.design_id = is_public.design);
$$;
comment on function private.is_public(uuid) is 'Whether a design is public. With the caller''s rights: all may read what is public.';
create function private.has_published(person uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from public.public_designs p where p.user_id = has_published.person);
$$;
comment on function private.has_published(uuid) is 'Whether anything of a person''s is public. With the caller''s rights.';
revoke all on function private.is_public(uuid), private.has_published(uuid) from public;
grant execute on function private.is_public(uuid), private.has_published(uuid) to anon, authenticated, service_role;

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

create policy "visitors read public designs" on public.designs
  for select to anon using (exists (select 1 from public.public_designs p where p.design_id = designs.id));
-- One policy, so that the most expensive condition is evaluated last. By `exists`, not by function: a few rows are looked up, and a filter over
-- all public designs gets a hash.
create policy "users read their own designs and public ones, admins all" on public.designs
  for select to authenticated
  using (
    user_id = (select auth.uid()) or (select private.is_admin())
    or exists (select 1 from public.public_designs p where p.design_id = designs.id)
  );

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
create index design_likes_user_id_idx on public.design_likes (user_id, created_at desc);

alter table public.design_likes enable row level security;
grant select (id, design_id, created_at) on public.design_likes to anon;
grant select on public.design_likes to authenticated;
grant insert (design_id, user_id) on public.design_likes to authenticated;
grant delete on public.design_likes to authenticated;
grant select, insert, update, delete on public.design_likes to service_role;

create policy "visitors count likes of public designs" on public.design_likes
  for select to anon using (private.is_public(design_id));
create policy "users see their own likes, and those of public designs" on public.design_likes
  for select to authenticated using (user_id = (select auth.uid()) or private.is_public(design_id));
create policy "users like public designs" on public.design_likes
  for insert to authenticated with check (user_id = (select auth.uid()) and private.is_public(design_id));
create policy "users unlike" on public.design_likes
  for delete to authenticated using (user_id = (select auth.uid()));

-- The gallery's search, newest first, from a row on (the key of the last one that is there), not more than page_size.
--
-- A word of many names is found among the newest: reading them in order comes to a page's end soon, and the index on pieces
-- would give thousands of rows to sort. A word that the newest 2,000 do not have often enough is rare: of that one the index
-- gives few rows. So neither reads more than a few thousand rows, however many are public.
create function public.search_public_designs(
  search text, published_before timestamptz default null, after_id uuid default null, page_size integer default 1000
) returns setof public.public_designs
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
declare
  newest constant integer := 2000;
  pattern text := private.contains_pattern(search);
  wanted integer := least(greatest(page_size, 0), 1000);
  from_time timestamptz := coalesce(published_before, 'infinity');
  from_id uuid := coalesce(after_id, '00000000-0000-0000-0000-000000000000');
  last_time timestamptz;
  last_id uuid;
  found_rows integer;
begin
  return query
    select n.* from (
      select p.* from public.public_designs p
      where p.created_at <= from_time and (p.created_at < from_time or p.id > from_id)
      order by p.created_at desc, p.id limit newest
    ) n
    where n.name ilike pattern
    order by n.created_at desc, n.id limit wanted;
  get diagnostics found_rows = row_count;
  if found_rows = wanted then return; end if;
  select p.created_at, p.id into last_time, last_id
  from public.public_designs p
  where p.created_at <= from_time and (p.created_at < from_time or p.id > from_id)
  order by p.created_at desc, p.id offset newest - 1 limit 1;
  if last_time is null then return; end if;
  -- On its own, so that no plan reads in order until a rare word comes up.
  return query
    with hits as materialized (
      select p.* from public.public_designs p
      where private.name_pieces(p.name) @> private.search_pieces(search) and p.name ilike pattern
    )
    select h.* from hits h
    where h.created_at <= last_time and (h.created_at < last_time or h.id > last_id)
    order by h.created_at desc, h.id limit wanted - found_rows;
end;
$$;
comment on function public.search_public_designs(text, timestamptz, uuid, integer) is
  'The public designs with the words in their name, in any case, newest first; % and _ mean themselves. Not more than '
  'page_size (1,000 at most), older than published_before; of those of that moment only the ones with an id above after_id. Public: it '
  'shows no more than public_designs does.';
revoke all on function public.search_public_designs(text, timestamptz, uuid, integer) from public;
grant execute on function public.search_public_designs(text, timestamptz, uuid, integer) to anon, authenticated, service_role;

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
