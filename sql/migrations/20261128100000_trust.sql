-- What may be seen of a design, and by whom, beyond what is public: links that their owner has ended, designs that the shop has
-- taken down, and where copies came from. All of it is in tables of its own: a row of designs is read by everybody while the
-- design is public.

-- Designs that are taken down -------------------------------------------------------------------------------------------

create table private.design_takedowns (
  id uuid primary key default gen_random_uuid(),
  design_id uuid references public.designs (id) on delete set null,
  design_name text not null,
  owner_id uuid references auth.users (id) on delete set null,
  decision text not null check (decision in ('keep', 'take_down', 'restore')),
  reason text check (reason in ('copyright', 'hate', 'sexual', 'violence', 'privacy', 'other')),
  note text not null default '' check (length(note) <= 1000),
  actor uuid references auth.users (id) on delete set null,
  published_at timestamptz,
  restored_at timestamptz,
  created_at timestamptz not null default now(),
  check ((decision = 'take_down') = (reason is not null)),
  check (decision = 'take_down' or (published_at is null and restored_at is null))
);
comment on table private.design_takedowns is
  'The audit trail of what admins decided about designs. It outlives design and account. A take-down without restored_at is in '
  'force. Not granted to any API role: decide_design writes it, get_design_case shows it.';
comment on column private.design_takedowns.published_at is
  'Since when it was in the gallery when it was taken down; restoring it puts it back there.';
create unique index design_takedowns_in_force_idx on private.design_takedowns (design_id)
  where decision = 'take_down' and restored_at is null;
create index design_takedowns_design_id_idx on private.design_takedowns (design_id, created_at);
create index design_takedowns_owner_id_idx on private.design_takedowns (owner_id, created_at);
create index design_takedowns_actor_idx on private.design_takedowns (actor);
-- the admin's list of what is taken down, newest first
create index design_takedowns_in_force_created_at_idx on private.design_takedowns (created_at desc)
  where decision = 'take_down' and restored_at is null;
alter table private.design_takedowns enable row level security;  -- and no policy: only the owner gets in

create function private.is_taken_down(design uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from private.design_takedowns t
    where t.design_id = is_taken_down.design and t.decision = 'take_down' and t.restored_at is null
  );
$$;
comment on function private.is_taken_down(uuid) is 'Whether the shop has taken a design down. With the definer''s rights.';

create function private.refuse_taken_down() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The lock waits for a decision that is being made, and makes one that comes now wait until this row is to be seen.
  perform 1 from public.designs d where d.id = new.design_id for share;
  if private.is_taken_down(new.design_id) then
    raise exception 'This design has been taken down.' using errcode = '23514', hint = 'design_taken_down';
  end if;
  return new;
end;
$$;
comment on function private.refuse_taken_down() is
  'What is taken down is neither published nor newly ordered, through whichever function and by whomever, its owner included.';
create trigger refuse_taken_down before insert on public.public_designs
  for each row execute function private.refuse_taken_down();
create trigger refuse_taken_down before insert on public.order_items
  for each row when (new.design_id is not null) execute function private.refuse_taken_down();

create function public.takedown_reason(design public.designs) returns text
language sql stable security definer set search_path = '' as $$
  -- looked up, because a caller can make up the row
  select t.reason from public.designs d
  join private.design_takedowns t on t.design_id = d.id and t.decision = 'take_down' and t.restored_at is null
  where d.id = design.id and (d.user_id = (select auth.uid()) or (select private.is_admin()));
$$;
comment on function public.takedown_reason(public.designs) is
  'Why a design is taken down, for its owner and admins; null otherwise. A computed field of the API.';

-- Links that their owner has ended ----------------------------------------------------------------------------------------

create table private.design_links (
  design_id uuid primary key references public.designs (id) on delete cascade,
  key text not null default replace(gen_random_uuid()::text, '-', ''),
  ended_at timestamptz not null default now()
);
comment on table private.design_links is
  'A row means that the design''s id alone opens nothing any more: its link has this key. Publishing removes the row. Not granted '
  'to any API role: end_design_link and link_key are the way in, for the owner.';
alter table private.design_links enable row level security;  -- and no policy: only the owner gets in

create function private.link_opens(design uuid, key text) returns boolean
language sql stable security definer set search_path = '' as $$
  select not private.is_taken_down(link_opens.design) and not exists (
    select 1 from private.design_links l where l.design_id = link_opens.design and l.key is distinct from link_opens.key
  );
$$;
comment on function private.link_opens(uuid, text) is
  'Whether a design''s link, with this key or without one, opens the design to a stranger.';

create function public.end_design_link(design uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  new_key text;
begin
  -- for update: a publication that is being made removes the key, or waits for it
  perform 1 from public.designs d where d.id = end_design_link.design and d.user_id = (select auth.uid()) for update;
  if not found then
    raise exception 'There is no such design of yours.' using errcode = 'P0002';
  end if;
  if exists (select 1 from public.public_designs p where p.design_id = end_design_link.design) then
    raise exception 'Everybody sees a public design. Make it private first.' using errcode = '23514';
  end if;
  insert into private.design_links as l (design_id) values (end_design_link.design)
  on conflict (design_id) do update set key = excluded.key, ended_at = excluded.ended_at
  returning l.key into new_key;
  return new_key;
end;
$$;
comment on function public.end_design_link(uuid) is
  'Ends the link of one''s own private design, also one with a key. Returns the key of the new link.';

create function public.link_key(design public.designs) returns text
language sql stable security definer set search_path = '' as $$
  -- looked up, because a caller can make up the row
  select l.key from public.designs d join private.design_links l on l.design_id = d.id
  where d.id = design.id and d.user_id = (select auth.uid());
$$;
comment on function public.link_key(public.designs) is
  'The key in the link of one''s own design; null where the bare link opens it. A computed field of the API.';

create function private.restore_bare_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.design_links l where l.design_id = new.design_id;
  return null;
end;
$$;
comment on function private.restore_bare_link() is 'What is published is found by its id, and stays so when it is taken back.';
create trigger restore_bare_link after insert on public.public_designs
  for each row execute function private.restore_bare_link();

-- What the link's holder reads --------------------------------------------------------------------------------------------

-- PostgREST must not find two functions of the name.
drop function public.get_shared_design(uuid);
create function public.get_shared_design(id uuid, key text default null) returns setof public.shared_design
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
  where d.id = get_shared_design.id and (
    d.user_id = (select auth.uid()) or private.link_opens(d.id, get_shared_design.key) or (select private.is_admin())
  );
$$;
comment on function public.get_shared_design(uuid, text) is
  'The one design behind a share link, private or not: the unguessable id is the key, and once that link was ended, the key with '
  'it. There is no way to list. Of what is taken down nothing but to owner and admins. creator_name is null for users without a '
  'public name, published_at for private designs.';

drop function public.design_picture(uuid);
create function public.design_picture(design uuid, key text default null) returns public."*/*"
language sql volatile security definer set search_path = '' as $$
  -- An <img> sends no token: the owner's page has the key, or the row itself.
  select private.send_picture(
    (
      select d.image_data from public.designs d
      where d.id = design_picture.design and private.link_opens(d.id, design_picture.key)
    ),
    'image/png', 'private, max-age=86400');
$$;
comment on function public.design_picture(uuid, text) is
  'The picture that a row holds, behind a share link, private or not: id and key as in get_shared_design. A picture in the bucket '
  'designs has an address signed by Storage instead: 404 here.';

create or replace function private.names_saved_picture(object text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.designs d
    where d.id = case when split_part(object, '/', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then split_part(object, '/', 2)::uuid end
      and d.image_url = object
      -- Storage's requests have no place for the key but a header
      and private.link_opens(d.id, nullif(current_setting('request.headers', true), '')::json ->> 'x-design-key')
  );
$$;
comment on function private.names_saved_picture(text) is
  'Whether it is the name of a picture of a design that the caller''s link opens: with the key in the header x-design-key.';

-- Copies ------------------------------------------------------------------------------------------------------------------

create table private.design_origins (
  copy_id uuid primary key references public.designs (id) on delete cascade,
  original_id uuid references public.designs (id) on delete set null
);
comment on table private.design_origins is
  'Of which design an imported one is a copy. Not granted to any API role: the original''s id would be its link. '
  'save_design_copy writes it.';
create index design_origins_original_id_idx on private.design_origins (original_id, copy_id);
alter table private.design_origins enable row level security;  -- and no policy: only the owner gets in

create function private.pass_origin_on() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.design_origins o
  set original_id = (select p.original_id from private.design_origins p where p.copy_id = old.id)
  where o.original_id = old.id;
  return old;
end;
$$;
comment on function private.pass_origin_on() is 'The copy of a copy that is deleted becomes a copy of its original.';
create trigger pass_origin_on before delete on public.designs
  for each row execute function private.pass_origin_on();

create function public.get_design_to_copy(of_design uuid, reader uuid, link_key text default null)
returns setof public.designs
language sql stable rows 1 security definer set search_path = '' as $$
  select d.* from public.designs d
  where d.id = of_design and not private.is_taken_down(d.id) and (d.user_id = reader or private.link_opens(d.id, link_key));
$$;
comment on function public.get_design_to_copy(uuid, uuid, text) is
  'For import-design: the design, if this person may import it by its link. Nothing of what is taken down, the owner included.';

create function public.save_design_copy(of_design uuid, copy jsonb) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  r public.designs := jsonb_populate_record(null::public.designs, save_design_copy.copy);
  version jsonb := save_design_copy.copy -> 'version';
begin
  perform 1 from public.designs d where d.id = of_design for share;
  if not found or private.is_taken_down(of_design) then
    return null;
  end if;
  r.id := coalesce(r.id, gen_random_uuid());
  r.created_at := now();
  r.updated_at := now();
  r.has_back := coalesce(r.has_back, false);
  insert into public.designs select r.*;
  insert into private.design_origins (copy_id, original_id) values (r.id, of_design);
  -- that of an adjusted design is one too (…_scenes.sql)
  if version is not null then
    insert into public.design_versions as v (
      design_id, number, scene, flat_scene, has_back, review, printify_product_id, image_url, thumbnail_url, back_url
    )
    select r.id, 1, n.scene, n.flat_scene, r.has_back, n.review, r.printify_product_id, r.image_url, r.thumbnail_url, n.back_url
    from jsonb_to_record(version) n (scene jsonb, flat_scene jsonb, review text, back_url text)
    returning v.id into r.current_version;
    update public.designs d set current_version = r.current_version where d.id = r.id;
    insert into public.design_drafts (design_id, scene) values (r.id, version -> 'scene');
  end if;
  return r.id;
end;
$$;
comment on function public.save_design_copy(uuid, jsonb) is
  'Saves a copy with where it came from; its id. Null where the original was deleted or taken down meanwhile.';

revoke all on function private.is_taken_down(uuid), private.refuse_taken_down(), public.takedown_reason(public.designs),
  private.link_opens(uuid, text), public.end_design_link(uuid), public.link_key(public.designs), private.restore_bare_link(),
  public.get_shared_design(uuid, text), public.design_picture(uuid, text), private.pass_origin_on(),
  public.get_design_to_copy(uuid, uuid, text), public.save_design_copy(uuid, jsonb) from public;
grant execute on function public.get_shared_design(uuid, text), public.design_picture(uuid, text)
  to anon, authenticated, service_role;
-- visitors too, who read null: they ask for the same columns of a design as its owner
grant execute on function public.takedown_reason(public.designs), public.link_key(public.designs) to anon, authenticated;
grant execute on function public.end_design_link(uuid) to authenticated;
grant execute on function public.get_design_to_copy(uuid, uuid, text), public.save_design_copy(uuid, jsonb) to service_role;
