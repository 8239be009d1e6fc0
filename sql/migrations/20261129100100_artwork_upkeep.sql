-- Artwork after it was brought along: what it was made of, where it is used, who deletes it, and what the sweep removes.

alter table public.design_artwork
  add column made_from text check (made_from ~ '^(design:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
  add column made_by text check (made_by in ('thicken', 'harden', 'cut_out', 'remove_specks', 'enlarge', 'drawing')),
  add constraint design_artwork_origin_check check (made_from is null or made_by is not null);
comment on column public.design_artwork.made_from is
  'The picture that this one was mended from, which can be put back: another artwork''s id, or `design:` and whose first picture it is.';
comment on column public.design_artwork.made_by is
  'Which mend made it, or `drawing` for one that the shop drew; null for what a person brought along.';
-- what was made of this one?
create index design_artwork_made_from_idx on public.design_artwork (user_id, made_from) where made_from is not null;
-- the sweep's walk
create index design_artwork_created_at_idx on public.design_artwork (created_at, id);

create function private.artwork_lock(person uuid) returns bigint
language sql immutable set search_path = '' as $$
  select hashtextextended('artwork ' || person::text, 0);
$$;
comment on function private.artwork_lock(uuid) is
  'The advisory lock of one person''s artwork: whoever deletes some and whoever begins to use it take turns.';

create function public.artwork_bytes(person uuid) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(a.bytes), 0)::bigint from public.design_artwork a where a.user_id = person;
$$;
comment on function public.artwork_bytes(uuid) is 'How much room one person''s artwork takes; the functions have a limit for it.';

create function private.artwork_use(artwork uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with recursive made as (
    select a.id, a.user_id from public.design_artwork a where a.id = artwork_use.artwork
    union
    -- a mended picture's original can be put back
    select a.id, a.user_id from made m join public.design_artwork a on a.user_id = m.user_id and a.made_from = m.id::text
  ), sources as (
    select jsonb_build_object('ids', jsonb_agg(m.id::text)) as vars, min(m.user_id::text)::uuid as person from made m
  ), uses as (
    select d.name, d.id, case
      when private.is_print_file_needed(v.printify_product_id) then 1
      when v.review = 'waiting' and exists (
        select from private.design_reports r where r.design_id = d.id and r.decided_at is null
      ) then 2
      else 3
    end as place
    from sources s join public.designs d on d.user_id = s.person join public.design_versions v on v.design_id = d.id
    where jsonb_path_exists(v.scene, '$.*[*] ? (@.source == $ids[*])', s.vars)
    union all
    select d.name, d.id, 4
    from sources s join public.designs d on d.user_id = s.person join public.design_drafts f on f.design_id = d.id
    where jsonb_path_exists(f.scene, '$.*[*] ? (@.source == $ids[*])', s.vars)
    union all
    select d.name, d.id, 5
    from sources s join public.designs d on d.user_id = s.person
    join public.design_jobs j on j.design_id = d.id and j.kind = 'scene' and j.state = 'running'
    where jsonb_path_exists(j.request -> 'scene', '$.*[*] ? (@.source == $ids[*])', s.vars)
  )
  select jsonb_build_object(
    'place', (array['order', 'review', 'version', 'draft', 'version'])[u.place], 'design', u.id, 'name', u.name
  )
  from uses u order by u.place, u.name limit 1;
$$;
comment on function private.artwork_use(uuid) is
  'Where an artwork, or what was mended from it, is used: in an order''s version, one that is looked at, another version, or a draft; '
  'null where it is nowhere.';

create function public.delete_artwork(artwork uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  owner uuid := (select auth.uid());
  used jsonb;
begin
  perform 1 from public.design_artwork a where a.id = delete_artwork.artwork and a.user_id = owner;
  if not found then
    raise exception 'There is no such picture of yours.' using errcode = 'P0002';
  end if;
  perform pg_advisory_xact_lock(private.artwork_lock(owner));
  used := private.artwork_use(delete_artwork.artwork);
  if used is not null then
    raise exception '%', format(
      case used ->> 'place'
        when 'order' then 'An order of “%s” is printed with this picture, so it stays.'
        when 'review' then 'Your design “%s” is being looked at with this picture, so it stays until that is done.'
        when 'version' then 'A version of “%s” shows this picture. It goes with that design.'
        else 'The drawing of “%s” shows this picture. Take it off that shirt first.'
      end, left(used ->> 'name', 60)
    ) using errcode = '23514', hint = 'artwork_used';
  end if;
  delete from public.design_artwork a where a.id = delete_artwork.artwork;
end;
$$;
comment on function public.delete_artwork(uuid) is
  'Deletes one''s own artwork and its file. Refused with the hint artwork_used and a sentence that says where, while a draft, a version, '
  'an order or a review shows it or what was mended from it.';

-- A draft that begins to use a picture waits for its removal, and then refers to none: finish-scene says so.
create function private.on_scene_saved() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- shared: drafts do not wait for each other
  perform pg_advisory_xact_lock_shared(private.artwork_lock(d.user_id)) from public.designs d where d.id = new.design_id;
  return new;
end;
$$;
create trigger on_scene_saved before insert or update of scene on public.design_drafts
  for each row when (new.scene @? '$.*[*].source') execute function private.on_scene_saved();

create function private.on_artwork_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.object_tasks (kind, bucket, name)
  values ('remove', 'artwork', old.user_id::text || '/' || old.id::text
    || case old.media_type when 'image/png' then '.png' else '.svg' end);
  -- what is gone cannot be put back
  update public.design_artwork a set made_from = null where a.user_id = old.user_id and a.made_from = old.id::text;
  return null;
end;
$$;
-- by a cascade from the account, too
create trigger on_artwork_deleted after delete on public.design_artwork
  for each row execute function private.on_artwork_deleted();

-- The sweep ----------------------------------------------------------------------------------------------------------------

create table private.artwork_walk (
  is_only boolean primary key default true check (is_only),
  after_at timestamptz not null default '-infinity',
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  due_at timestamptz not null default now()
);
comment on table private.artwork_walk is
  'How far the sweep has come in looking at artwork, oldest first, some with each run; after the last one it starts again an hour later. '
  'No role of the API reads it.';
insert into private.artwork_walk default values;
alter table private.artwork_walk enable row level security;

create function public.retire_artwork(after_days integer, most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  walk private.artwork_walk;
  old record;
  seen integer := 0;
  retired integer := 0;
  is_whole boolean := true;
begin
  select w.* into walk from private.artwork_walk w where w.due_at <= now() for update skip locked;
  if not found then
    return 0;
  end if;
  for old in
    select a.id, a.user_id, a.created_at from public.design_artwork a
    where (a.created_at, a.id) > (walk.after_at, walk.after_id)
      and a.created_at < now() - make_interval(days => greatest(retire_artwork.after_days, 1))
    order by a.created_at, a.id limit retire_artwork.most
  loop
    -- People whose artwork is looked at wait meanwhile.
    if clock_timestamp() > statement_timestamp() + interval '2 seconds' then
      is_whole := false;
      exit;
    end if;
    seen := seen + 1;
    walk.after_at := old.created_at;
    walk.after_id := old.id;
    -- The lock first, then the look: a draft that is just being saved is seen, or is saved afterwards.
    continue when not pg_try_advisory_xact_lock(private.artwork_lock(old.user_id));
    continue when private.artwork_use(old.id) is not null;
    -- Whoever is drawing may have taken it off a moment ago, to put it back.
    continue when exists (
      select from public.designs d join public.design_drafts f on f.design_id = d.id
      where d.user_id = old.user_id and f.updated_at > now() - interval '7 days'
    );
    delete from public.design_artwork a where a.id = old.id;
    retired := retired + 1;
  end loop;
  is_whole := is_whole and seen < most;
  update private.artwork_walk set
    after_at = case when is_whole then '-infinity' else walk.after_at end,
    after_id = case when is_whole then '00000000-0000-0000-0000-000000000000' else walk.after_id end,
    due_at = case when is_whole then now() + interval '1 hour' else now() end
  where true;
  return retired;
end;
$$;
comment on function public.retire_artwork(integer, integer) is
  'Looks at the next artwork and deletes what is older than so many days and used nowhere; their number.';

revoke all on function private.artwork_lock(uuid), public.artwork_bytes(uuid), private.artwork_use(uuid), public.delete_artwork(uuid), private.on_scene_saved(),
  private.on_artwork_deleted(), public.retire_artwork(integer, integer) from public, anon, authenticated;
grant execute on function public.delete_artwork(uuid) to authenticated;
grant execute on function public.artwork_bytes(uuid), public.retire_artwork(integer, integer) to service_role;
