-- Scenes: what a design is made of, layer by layer, on both sides of the shirt (docs/scene.md).
--
-- A draft is saved as it is drawn. 'Done' makes a version of it: the files that are printed, a product at the printer, and the picture
-- that pages show. Versions never change. What is shown and ordered is the design's current version; a design that was never
-- adjusted has none, and is its picture, as before.

create function private.is_scene(scene jsonb) returns boolean
language sql immutable strict set search_path = '' as $$
  -- In order: the later conditions are of what the earlier ones let through.
  select case
    when jsonb_typeof(scene) is distinct from 'object' or octet_length(scene::text) > 80000 then false
    when scene - array['version', 'front', 'back'] <> '{}' or scene -> 'version' is distinct from '1' then false
    when jsonb_typeof(scene -> 'front') is distinct from 'array' or jsonb_typeof(scene -> 'back') is distinct from 'array' then false
    when jsonb_array_length(scene -> 'front') > 20 or jsonb_array_length(scene -> 'back') > 20 then false
    else not exists (
      select from jsonb_array_elements((scene -> 'front') || (scene -> 'back')) l (layer)
      where jsonb_typeof(l.layer) <> 'object' or coalesce(l.layer ->> 'kind', '') not in ('picture', 'lettering', 'shape')
    )
  end;
$$;
comment on function private.is_scene(jsonb) is
  'Whether it may be stored: size, sides and kinds of layers. The functions check all of it before anything is made of it.';
revoke all on function private.is_scene(jsonb) from public;
-- constraints are evaluated with the writer's rights
grant execute on function private.is_scene(jsonb) to authenticated, service_role;

-- Drafts -------------------------------------------------------------------------------------------------------------------

create table public.design_drafts (
  design_id uuid primary key references public.designs (id) on delete cascade,
  scene jsonb not null check (private.is_scene(scene)),
  revision integer not null default 1 check (revision > 0),
  updated_at timestamptz not null default now()
);
comment on table public.design_drafts is
  'The scene that a design''s owner is drawing. Nobody else reads it, admins and holders of the link included. Deliberately not '
  'granted: any writing; save_scene and return_to_version are the way in.';
comment on column public.design_drafts.revision is 'Counts what was saved: a page that has not seen the last one overwrites nothing.';

alter table public.design_drafts enable row level security;
grant select on public.design_drafts to authenticated, service_role;
create policy "owners read their drafts" on public.design_drafts
  for select to authenticated using (private.owns_design(design_id));

create function public.save_scene(design uuid, scene jsonb, revision integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  saved integer;
begin
  if not exists (
    select 1 from public.designs d where d.id = save_scene.design and d.user_id = (select auth.uid())
  ) then
    raise exception 'There is no such design of yours.' using errcode = 'P0002';
  end if;
  if save_scene.revision = 0 then
    insert into public.design_drafts as f (design_id, scene) values (save_scene.design, save_scene.scene)
    on conflict (design_id) do nothing returning f.revision into saved;
  else
    update public.design_drafts f set scene = save_scene.scene, revision = f.revision + 1, updated_at = now()
    where f.design_id = save_scene.design and f.revision = save_scene.revision returning f.revision into saved;
  end if;
  if saved is null then
    raise sqlstate 'PT409' using message = 'scene_conflict';
  end if;
  return saved;
end;
$$;
comment on function public.save_scene(uuid, jsonb, integer) is
  'Saves the draft of one''s own design; its new revision. The given one is that of the draft as it is stored (0 for none); another '
  'is refused with status 409 and scene_conflict: the draft was saved elsewhere meanwhile.';

-- Versions -----------------------------------------------------------------------------------------------------------------

create table public.design_versions (
  id uuid primary key default gen_random_uuid(),
  design_id uuid not null references public.designs (id) on delete cascade,
  number integer not null check (number > 0),
  scene jsonb not null check (private.is_scene(scene)),
  flat_scene jsonb check (private.is_scene(flat_scene)),
  has_back boolean not null default false,
  review text not null default 'not_needed' check (review in ('not_needed', 'waiting', 'passed', 'refused')),
  printify_product_id text not null check (printify_product_id <> ''),
  image_url text,
  thumbnail_url text,
  back_url text,
  print_files text[] not null default '{}' check (cardinality(print_files) <= 2),
  created_at timestamptz not null default now(),
  unique (design_id, number)
);
comment on table public.design_versions is
  'What was made of a design''s scene each time its owner was done. Its owner and admins read it. Deliberately not granted: any '
  'writing; a version never changes. save_design_version adds one, for the functions.';
comment on column public.design_versions.flat_scene is
  'The same as one picture a side. It is what a stranger''s copy can be adjusted by: nothing that a layer hides or a crop left out.';
comment on column public.design_versions.review is
  'Whether an admin has to look at it before it is public, because it shows pictures that people brought along.';
comment on column public.design_versions.image_url is 'The front as a picture, in the bucket designs; the back where nothing is on the front.';
comment on column public.design_versions.back_url is 'The back as a picture, in the bucket designs; null where nothing is on it.';
comment on column public.design_versions.print_files is 'What was printed from, in the bucket print-files; none for a copy of another design.';
-- by product: is it printed on both sides, and which files are its own?
create index design_versions_printify_product_id_idx on public.design_versions (printify_product_id);

alter table public.design_versions enable row level security;
grant select on public.design_versions to authenticated, service_role;
create policy "owners and admins read versions" on public.design_versions
  for select to authenticated using (private.owns_design(design_id) or (select private.is_admin()));

alter table public.designs
  add column has_back boolean not null default false,
  add column current_version uuid,
  drop constraint designs_image_url_check,
  drop constraint designs_thumbnail_url_check,
  -- one's own folder of the bucket: a row cannot name another's object, or another site
  add constraint designs_image_url_check
    check (image_url ~ ('^' || user_id::text || '/' || id::text || '/(picture|v[0-9]{1,9})\.png$')),
  add constraint designs_thumbnail_url_check
    check (thumbnail_url ~ ('^' || user_id::text || '/' || id::text || '/(thumbnail|v[0-9]{1,9})\.jpg$'));
comment on column public.designs.has_back is 'Whether its print product is printed on the back as well.';
comment on column public.designs.current_version is 'The version that is shown and ordered; null where the design is its picture alone. '
  'Without a foreign key: versions go with their design, and never before.';
comment on column public.designs.image_url is
  'The picture''s name in the bucket designs: picture.png as it was saved, or the current version''s.';

-- Artwork ------------------------------------------------------------------------------------------------------------------

create table public.design_artwork (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null check (length(name) <= 200 and name = private.clean_text(name)),
  media_type text not null check (media_type in ('image/png', 'image/svg+xml')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes integer not null check (bytes between 1 and 20971520),
  review text not null default 'waiting' check (review in ('not_needed', 'waiting', 'passed', 'refused')),
  rights_confirmed_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table public.design_artwork is
  'Pictures that people bring along for their scenes; `<user id>/<id>.png` or `.svg` in the private bucket artwork. Their owner reads '
  'them. Deliberately not granted: any writing; the functions clean and measure a file before it is one.';
comment on column public.design_artwork.width is 'In pixels; of an SVG in its own units.';
comment on column public.design_artwork.review is 'passed once an admin has seen it in a design that was to be public.';
comment on column public.design_artwork.rights_confirmed_at is 'When its owner said that they may have it printed.';
create index design_artwork_user_id_idx on public.design_artwork (user_id, created_at desc);

alter table public.design_artwork enable row level security;
grant select on public.design_artwork to authenticated;
grant select, insert on public.design_artwork to service_role;
create policy "users read their own artwork" on public.design_artwork
  for select to authenticated using (user_id = (select auth.uid()));

-- A plain Postgres has no Storage, so there is nothing to guard. Deliberately without a policy: writing.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create policy "users read the files of their own artwork" on storage.objects
    for select to authenticated
    using (bucket_id = 'artwork' and split_part(name, '/', 1) = (select auth.uid())::text);
end;
$$;

-- The shirt's areas --------------------------------------------------------------------------------------------------------

alter table public.product_variants
  add column front_width integer check (front_width > 0),
  add column front_height integer check (front_height > 0),
  add column back_width integer check (back_width > 0),
  add column back_height integer check (back_height > 0);
comment on column public.product_variants.front_width is
  'The printable front in pixels at 300 an inch, as are the other three; null until `python -m deploy catalog` has asked the printer.';

-- Beginning with an empty shirt --------------------------------------------------------------------------------------------

create function public.begin_scene_design(of_user uuid, colors uuid[]) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  begun uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('begin_scene_design ' || of_user::text, 0));
  if (
    select count(*) from public.design_drafts f join public.designs d on d.id = f.design_id
    where d.user_id = of_user and d.printify_product_id is null and d.image_url is null and d.image_data is null
  ) >= 20 then
    return null;
  end if;
  insert into public.designs (user_id, name, selected_colors) values (of_user, 'Untitled Design', colors) returning id into begun;
  insert into public.design_drafts (design_id, scene) values (begun, '{"version": 1, "front": [], "back": []}');
  return begun;
end;
$$;
comment on function public.begin_scene_design(uuid, uuid[]) is
  'A design with an empty scene; its id. Null where twenty of this person''s are begun and not done yet.';

revoke all on function public.save_scene(uuid, jsonb, integer),
  public.begin_scene_design(uuid, uuid[]) from public, anon, authenticated;
grant execute on function public.save_scene(uuid, jsonb, integer) to authenticated;
grant execute on function public.begin_scene_design(uuid, uuid[]) to service_role;
