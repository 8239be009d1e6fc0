-- Pictures of designs lie in two buckets of Storage (supabase-config.toml), not in rows:
--
--   designs            private; `<user id>/<design id>/picture.png` and `…/thumbnail.jpg`
--   design-thumbnails  public; `<publication id>.jpg`, there only while that publication is
--
-- Rows from before hold base64 in image_data and thumbnail_data, as does a row that a client saves so; both are read on.

-- what is still to be moved (`python -m deploy move-pictures`)
create index designs_held_pictures_idx on public.designs (id) where image_data is not null;

-- Uploads --------------------------------------------------------------------------------------------------------------

create table public.design_uploads (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid(),
  created_at timestamptz not null default now()
);
comment on table public.design_uploads is
  'Permission to upload the picture of one design, which will have this id: written first, gone with the design''s row. '
  'What is older than two days is an upload that was never saved; the sweep removes its objects. Deliberately without a '
  'foreign key: the upload of a deleted account must be swept as well. Deliberately not granted: choosing the id, for '
  'a share link leads to it.';
create index design_uploads_user_id_idx on public.design_uploads (user_id);
create index design_uploads_created_at_idx on public.design_uploads (created_at);

-- Unsaved uploads count for no design yet, so an account may have so many of them and no more.
create function private.may_begin_upload() returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) < 20 from public.design_uploads u where u.user_id = (select auth.uid());
$$;
comment on function private.may_begin_upload() is 'Whether the caller has fewer than 20 uploads that are not saved.';
revoke all on function private.may_begin_upload() from public;
grant execute on function private.may_begin_upload() to authenticated;

alter table public.design_uploads enable row level security;
grant select, insert (user_id) on public.design_uploads to authenticated;
grant select, insert on public.design_uploads to service_role;
create policy "users see their own uploads" on public.design_uploads
  for select to authenticated using (user_id = (select auth.uid()));
create policy "users begin uploads of their own" on public.design_uploads
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.may_begin_upload()));

create function private.may_upload_picture(object text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.design_uploads u
    where u.user_id = (select auth.uid()) and u.created_at > now() - interval '1 day'
      and object in (
        u.user_id::text || '/' || u.id::text || '/picture.png', u.user_id::text || '/' || u.id::text || '/thumbnail.jpg'
      )
  );
$$;
comment on function private.may_upload_picture(text) is
  'Whether an object''s name in the bucket designs is one of an upload that the caller has begun within a day.';
revoke all on function private.may_upload_picture(text) from public;
grant execute on function private.may_upload_picture(text) to authenticated;

-- A row that users save with image_url takes the id of its upload. The functions save with the service's rights, and set
-- id, image_url and thumbnail_url themselves.
create function private.take_design_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  upload uuid;
begin
  select u.id into upload from public.design_uploads u
  where u.user_id = auth.uid() and u.created_at > now() - interval '1 day'
    and new.image_url = u.user_id::text || '/' || u.id::text || '/picture.png'
  for update;
  if upload is null
    or not exists (select 1 from storage.objects o where o.bucket_id = 'designs' and o.name = new.image_url) then
    raise insufficient_privilege using message = 'There is no upload of yours with this picture';
  end if;
  new.id := upload;
  select o.name into new.thumbnail_url from storage.objects o
  where o.bucket_id = 'designs' and o.name = new.user_id::text || '/' || upload::text || '/thumbnail.jpg';
  return new;
end;
$$;
revoke all on function private.take_design_upload() from public;
create trigger take_design_upload before insert on public.designs
  for each row when (new.image_url is not null and row_security_active('public.designs'))
  execute function private.take_design_upload();

create function private.finish_design_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.design_uploads u where u.id = new.id;
  return null;
end;
$$;
revoke all on function private.finish_design_upload() from public;
create trigger finish_design_upload after insert on public.designs
  for each row when (new.image_url is not null) execute function private.finish_design_upload();

-- Objects: who may what ---------------------------------------------------------------------------------------------------

create function private.names_saved_picture(object text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.designs d
    where d.id = case when split_part(object, '/', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then split_part(object, '/', 2)::uuid end
      and d.image_url = object
  );
$$;
comment on function private.names_saved_picture(text) is 'Whether it is the name of a design''s picture.';
revoke all on function private.names_saved_picture(text) from public;
grant execute on function private.names_saved_picture(text) to anon, authenticated;

create function private.is_own_publication(object text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from public.public_designs p
    where p.id = case when object ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jpg$' then left(object, 36)::uuid end
      and p.user_id = (select auth.uid())
  );
$$;
comment on function private.is_own_publication(text) is
  'Whether an object''s name in the bucket design-thumbnails is that of a publication of the caller''s.';
revoke all on function private.is_own_publication(text) from public;
grant execute on function private.is_own_publication(text) to authenticated;

-- Deliberately without a policy: changing and deleting. A saved picture does not change; the sweep removes what belongs to
-- no row any more. A plain Postgres has no Storage, so there is nothing to guard.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create policy "users upload pictures of designs that they begin" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'designs' and private.may_upload_picture(name));
  create policy "users read pictures of their own designs" on storage.objects
    for select to authenticated
    using (bucket_id = 'designs' and split_part(name, '/', 1) = (select auth.uid())::text);
  create policy "admins read pictures of all designs" on storage.objects
    for select to authenticated using (bucket_id = 'designs' and (select private.is_admin()));
  -- the share link: its holder has an address signed for the one object that get_shared_design named, and
  -- can neither list nor read without it. Storage sets the operation; without it the policy lets nothing through.
  create policy "all who know a picture's name have its address signed" on storage.objects
    for select to anon, authenticated
    using (
      bucket_id = 'designs' and current_setting('storage.operation', true) = 'storage.object.sign'
      and private.names_saved_picture(name)
    );
  create policy "owners show the thumbnails of what they publish" on storage.objects
    for insert to authenticated
    with check (bucket_id = 'design-thumbnails' and private.is_own_publication(name));
end;
$$;

-- Images at addresses of their own -------------------------------------------------------------------------------------

-- What an <img> can load early, in parallel and from the browser's cache, instead of base64 inside JSON: the pictures that
-- rows hold.
--
-- PostgREST answers a function whose result is a domain named like a media type with the bytes themselves; "*/*" is what
-- browsers accept for images everywhere. The function names the real type in the response's headers.

create domain public."*/*" as bytea;
comment on domain public."*/*" is 'A whole response body for any Accept header; the function sets the Content-Type.';

create function private.send_picture(base64 text, media_type text, cache_control text) returns public."*/*"
language plpgsql volatile set search_path = '' as $$
begin
  if base64 is null then
    raise sqlstate 'PT404' using message = 'There is no such picture';
  end if;
  -- nosniff: the bytes were uploaded by a user and are nothing but an image, even if they look like HTML
  perform set_config('response.headers', json_build_array(
    json_build_object('Content-Type', media_type),
    json_build_object('Cache-Control', cache_control),
    json_build_object('X-Content-Type-Options', 'nosniff'))::text, true);
  -- rows hold the picture with or without a data: prefix
  return decode(regexp_replace(base64, '^data:[^,]*,', ''), 'base64');
end;
$$;
comment on function private.send_picture(text, text, text) is
  'The response for a stored base64 picture: its bytes, its type, how long it may be cached; 404 for none.';
revoke all on function private.send_picture(text, text, text) from public;

create function public.design_thumbnail(design uuid) returns public."*/*"
language plpgsql volatile security definer set search_path = '' as $$
declare
  publication uuid;
  base64 text;
  object text;
begin
  select p.id, d.thumbnail_data, d.thumbnail_url into publication, base64, object
  from public.designs d
  join public.public_designs p on p.design_id = d.id
  where d.id = design_thumbnail.design;
  if object is null then
    return private.send_picture(base64, 'image/jpeg', 'public, max-age=3600');
  end if;
  perform set_config('response.status', '302', true);
  perform set_config('response.headers', json_build_array(
    json_build_object('Location', '/storage/v1/object/public/design-thumbnails/' || publication::text || '.jpg'),
    json_build_object('Cache-Control', 'public, max-age=60'))::text, true);
  return ''::bytea;
end;
$$;
comment on function public.design_thumbnail(uuid) is
  'The small JPEG of a public design, or the way to its object. Lists name the object themselves.';
revoke all on function public.design_thumbnail(uuid) from public;
grant execute on function public.design_thumbnail(uuid) to anon, authenticated, service_role;

create function public.design_picture(design uuid) returns public."*/*"
language sql volatile security definer set search_path = '' as $$
  select private.send_picture(
    (select d.image_data from public.designs d where d.id = design_picture.design),
    'image/png', 'private, max-age=86400');
$$;
comment on function public.design_picture(uuid) is
  'The picture that a row holds, behind a share link, private or not: the unguessable id is the key, as in '
  'get_shared_design. A picture in the bucket designs has an address signed by Storage instead: 404 here.';
revoke all on function public.design_picture(uuid) from public;
grant execute on function public.design_picture(uuid) to anon, authenticated, service_role;

-- A computed field of the API: lists say whether there is a thumbnail to load without carrying it.
create function public.has_thumbnail(design public.designs) returns boolean
language sql stable set search_path = '' as $$
  select design.thumbnail_data is not null or design.thumbnail_url is not null;
$$;
comment on function public.has_thumbnail(public.designs) is 'Whether this design has a small picture.';
revoke all on function public.has_thumbnail(public.designs) from public;
grant execute on function public.has_thumbnail(public.designs) to anon, authenticated, service_role;
