-- Listing objects as folders: one step of an index at a time, so that a folder costs one look-up, however much it holds.
-- Each function runs with the caller's rights: a folder is seen by those who see something in it.
set role supabase_storage_admin;

-- `p_key` up to and with the first delimiter behind `p_prefix`; null where there is none.
create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
language sql immutable as $$
  select case
    when strpos(substr(p_key, length(p_prefix) + 1), p_delimiter) > 0
    then left(p_key, length(p_prefix) + strpos(substr(p_key, length(p_prefix) + 1), p_delimiter) + length(p_delimiter) - 1)
  end
$$;

-- The names below `prefix_param` in the order of their bytes; those with a delimiter further on count as one, a folder,
-- shown without the delimiter at its end. `start_after`: names behind this one. `next_token`: where the page before
-- ended; with a delimiter at its end it names a folder, all of which is behind us.
create function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  start_after text default '', next_token text default '', sort_order text default 'asc'
)
returns table (
  name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz
)
language plpgsql stable as $$
#variable_conflict use_column
declare
  forwards constant boolean := lower(coalesce(sort_order, 'asc')) <> 'desc';
  prefix constant text := coalesce(prefix_param, '');
  -- Behind every name that begins with the prefix.
  beyond constant text := prefix || chr(1114111);
  place text := coalesce(nullif(next_token, ''), nullif(start_after, ''), '');
  -- Whether a name equal to `place` is still to come.
  including boolean := false;
  found storage.objects;
  folder text;
begin
  if next_token <> '' and right(next_token, 1) = delimiter_param and forwards then
    place := next_token || chr(1114111);
  elsif place = '' then
    place := case when forwards then prefix else beyond end;
    including := true;
  elsif forwards and place < prefix collate "C" then
    place := prefix;
    including := true;
  end if;
  for turn in 1 .. coalesce(max_keys, 100) loop
    if forwards then
      select * into found from storage.objects as o
      where o.bucket_id = _bucket_id and o.name collate "C" >= place and (including or o.name collate "C" > place)
        and o.name collate "C" < beyond
      order by o.name collate "C" limit 1;
    else
      select * into found from storage.objects as o
      where o.bucket_id = _bucket_id and o.name collate "C" <= place and (including or o.name collate "C" < place)
        and o.name collate "C" >= prefix and o.name collate "C" < beyond
      order by o.name collate "C" desc limit 1;
    end if;
    exit when found.id is null;
    folder := storage.get_common_prefix(found.name, prefix, delimiter_param);
    including := false;
    if folder is null then
      place := found.name;
      return query select found.name, found.id, found.metadata, found.updated_at, found.created_at, found.last_accessed_at;
    else
      place := case when forwards then folder || chr(1114111) else folder end;
      return query select left(folder, -length(delimiter_param)), null::uuid, null::jsonb, null::timestamptz,
        null::timestamptz, null::timestamptz;
    end if;
  end loop;
end
$$;

create function storage.list_multipart_uploads_with_delimiter(
  bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100,
  next_key_token text default '', next_upload_token text default ''
)
returns table (key text, id text, created_at timestamptz) language sql stable as $$
  select distinct on (listed.key) listed.key, listed.id, listed.created_at
  from (
    select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key) collate "C" as key, u.id,
      u.created_at
    from storage.s3_multipart_uploads as u
    where u.bucket_id = $1 and starts_with(u.key, prefix_param)
      and (next_upload_token = '' or u.id collate "C" > next_upload_token)
  ) as listed
  where next_key_token = '' or next_upload_token <> '' or listed.key > next_key_token
  order by listed.key, listed.created_at
  limit max_keys
$$;

-- What `POST /object/list` shows: one level below `prefix || search`, capital and small letters alike, each name without
-- the prefix. Sorted by a time, folders come first.
create function storage.search(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0,
  search text default '', sortcolumn text default 'name', sortorder text default 'asc'
)
returns table (
  name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
)
language plpgsql stable as $$
#variable_conflict use_column
declare
  most constant integer := least(coalesce(limits, 100), 1500);
  forwards constant boolean := lower(coalesce(sortorder, 'asc')) <> 'desc';
  sorted_by constant text := case when lower(sortcolumn) in ('updated_at', 'created_at', 'last_accessed_at')
    then lower(sortcolumn) end;
  wanted constant text := lower(coalesce(prefix, '') || coalesce(search, ''));
  beyond constant text := wanted || chr(1114111);
  hidden constant integer := length(coalesce(prefix, ''));
  place text := case when forwards then wanted else beyond end;
  -- Names that differ in small and capital letters only have one place.
  exact text := '';
  found storage.objects;
  folder text;
begin
  if sorted_by is not null then
    return query execute format(
      $sql$
        with below as (
          select o.*, storage.get_common_prefix(lower(o.name), $1, '/') as folder from storage.objects as o
          where o.bucket_id = $2 and lower(o.name) collate "C" >= $1 and lower(o.name) collate "C" < $3
        ), level as (
          select min(rtrim(storage.get_common_prefix(name, left(name, length($1)), '/'), '/')) as name, null::uuid as id,
            null::timestamptz as updated_at, null::timestamptz as created_at, null::timestamptz as last_accessed_at,
            null::jsonb as metadata
          from below where folder is not null group by folder
          union all
          select name, id, updated_at, created_at, last_accessed_at, metadata from below where folder is null
        )
        select substr(name, $4 + 1), id, updated_at, created_at, last_accessed_at, metadata from level
        order by (id is not null), %1$I %2$s, lower(name) collate "C" %2$s limit $5 offset $6
      $sql$, sorted_by, case when forwards then 'asc' else 'desc' end
    ) using wanted, bucketname, beyond, hidden, most, coalesce(offsets, 0);
    return;
  end if;
  for turn in 1 .. most + coalesce(offsets, 0) loop
    if forwards then
      select * into found from storage.objects as o
      where o.bucket_id = bucketname and lower(o.name) collate "C" >= place
        and (lower(o.name) collate "C" > place or o.name collate "C" > exact) and lower(o.name) collate "C" < beyond
      order by lower(o.name) collate "C", o.name collate "C" limit 1;
    else
      select * into found from storage.objects as o
      where o.bucket_id = bucketname and lower(o.name) collate "C" <= place
        and (lower(o.name) collate "C" < place or o.name collate "C" < exact) and lower(o.name) collate "C" >= wanted
        and lower(o.name) collate "C" < beyond
      order by lower(o.name) collate "C" desc, o.name collate "C" desc limit 1;
    end if;
    exit when found.id is null;
    folder := storage.get_common_prefix(lower(found.name), wanted, '/');
    if folder is null then
      place := lower(found.name);
      exact := found.name;
      if turn > coalesce(offsets, 0) then
        return query select substr(found.name, hidden + 1), found.id, found.updated_at, found.created_at,
          found.last_accessed_at, found.metadata;
      end if;
    else
      place := case when forwards then folder || chr(1114111) else folder end;
      if turn > coalesce(offsets, 0) then
        return query select substr(left(found.name, length(folder) - 1), hidden + 1), null::uuid, null::timestamptz,
          null::timestamptz, null::timestamptz, null::jsonb;
      end if;
    end if;
  end loop;
end
$$;

-- The same level sorted by a time, a page from `p_start_after` on: `p_sort_column_after` is that name's time.
create function storage.search_by_timestamp(
  p_prefix text, p_bucket_id text, p_limit integer, p_level integer, p_start_after text, p_sort_order text,
  p_sort_column text, p_sort_column_after text
)
returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
  metadata jsonb
)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query execute format(
    $sql$
      with below as (
        select o.*, storage.get_common_prefix(o.name, $1, '/') as folder from storage.objects as o
        where o.bucket_id = $2 and starts_with(o.name, $1)
      ), level as (
        select rtrim(folder, '/') as name, null::uuid as id, min(created_at) as updated_at, min(created_at) as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata
        from below where folder is not null group by folder
        union all
        select name, id, updated_at, created_at, last_accessed_at, metadata from below where folder is null
      ), timed as (
        select *, coalesce(date_trunc('milliseconds', %1$I), 'epoch') as moment from level
      )
      select split_part(name, '/', $3), name, id, updated_at, created_at, last_accessed_at, metadata from timed
      where $5 = '' or (moment, name collate "C") %2$s (coalesce(nullif($6, '')::timestamptz, 'epoch'), $5)
      order by moment %3$s, name collate "C" %3$s limit $4
    $sql$,
    case when p_sort_column = 'updated_at' then 'updated_at' else 'created_at' end,
    case when p_sort_order = 'asc' then '>' else '<' end,
    case when p_sort_order = 'asc' then 'asc' else 'desc' end
  ) using coalesce(p_prefix, ''), p_bucket_id, p_level, p_limit, coalesce(p_start_after, ''), p_sort_column_after;
end
$$;

create function storage.search_v2(
  prefix text, bucket_name text, limits integer default 100, levels integer default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default ''
)
returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz,
  metadata jsonb
)
language plpgsql stable as $$
#variable_conflict use_column
declare
  direction constant text := case when lower(sort_order) = 'desc' then 'desc' else 'asc' end;
  most constant integer := least(coalesce(limits, 100), 1500);
  cursor_token text := coalesce(start_after, '');
begin
  if lower(sort_column) in ('updated_at', 'created_at') then
    return query select * from storage.search_by_timestamp(
      prefix, bucket_name, most, levels, cursor_token, direction, lower(sort_column), sort_column_after
    );
    return;
  end if;
  -- The name of a folder, at which a page may end, has no delimiter here: where an object has it too, forwards the folder
  -- comes last, backwards the object.
  if cursor_token <> '' and exists (
    select from storage.objects as o
    where o.bucket_id = bucket_name and o.name collate "C" > cursor_token || '/'
      and o.name collate "C" < cursor_token || '/' || chr(1114111)
  ) and (direction = 'asc' or not exists (
    select from storage.objects as o where o.bucket_id = bucket_name and o.name = cursor_token
  )) then
    cursor_token := cursor_token || '/';
  end if;
  return query
    select split_part(l.name, '/', levels), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
    from storage.list_objects_with_delimiter(bucket_name, coalesce(prefix, ''), '/', most, '', cursor_token, direction)
      as l;
end
$$;

reset role;
