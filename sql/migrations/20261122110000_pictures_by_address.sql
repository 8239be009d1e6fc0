-- Pictures as addresses: what an <img> can load early, in parallel and from the browser's cache, instead of base64 inside JSON.
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
  -- nosniff: the bytes were uploaded by a person and are nothing but a picture, whatever they look like
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
language sql volatile security definer set search_path = '' as $$
  select private.send_picture(
    (select d.thumbnail_data
     from public.designs d
     join public.public_designs p on p.design_id = d.id
     where d.id = design_thumbnail.design),
    'image/jpeg', 'public, max-age=86400');
$$;
comment on function public.design_thumbnail(uuid) is
  'The small JPEG of a public design. A saved picture never changes, so it may be cached.';
revoke all on function public.design_thumbnail(uuid) from public;
grant execute on function public.design_thumbnail(uuid) to anon, authenticated, service_role;

create function public.design_picture(design uuid) returns public."*/*"
language sql volatile security definer set search_path = '' as $$
  select private.send_picture(
    (select d.image_data from public.designs d where d.id = design_picture.design),
    'image/png', 'private, max-age=86400');
$$;
comment on function public.design_picture(uuid) is
  'The picture behind a share link, private or not: the unguessable id is the key, as in get_shared_design.';
revoke all on function public.design_picture(uuid) from public;
grant execute on function public.design_picture(uuid) to anon, authenticated, service_role;

-- A computed field of the API: lists say whether there is a thumbnail to load without carrying it.
create function public.has_thumbnail(design public.designs) returns boolean
language sql stable set search_path = '' as $$
  select design.thumbnail_data is not null;
$$;
comment on function public.has_thumbnail(public.designs) is 'Whether design_thumbnail has a picture of this design.';
revoke all on function public.has_thumbnail(public.designs) from public;
grant execute on function public.has_thumbnail(public.designs) to anon, authenticated, service_role;
