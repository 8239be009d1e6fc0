-- pg_net as SQL: calls put requests into a queue, which the gateway's process performs after the commit. Shapes follow
-- https://supabase.github.io/pg_net; rights are the hosted platform's: clients may call, and read neither table.
create schema if not exists net;
create domain net.http_method as text check (upper(value) in ('GET', 'POST', 'DELETE'));
create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

create unlogged table net.http_request_queue (
  id bigserial,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);
create unlogged table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (id);
create index on net._http_response (created);

-- RFC 3986: all but the unreserved characters.
create function net._urlencode_string(string text) returns text language sql immutable strict parallel safe
set search_path = '' as $$
  select coalesce(pg_catalog.string_agg(
    case when octet ~ '[A-Za-z0-9_.~-]' and pg_catalog.octet_length(octet) = 1 then octet
      else pg_catalog.upper(pg_catalog.regexp_replace(
        pg_catalog.encode(pg_catalog.convert_to(octet, 'UTF8'), 'hex'), '(..)', '%\1', 'g')) end, '' order by n), '')
  from pg_catalog.regexp_split_to_table(string, '') with ordinality as parts(octet, n)
$$;
create function net._address(url text, params jsonb) returns text language sql immutable parallel safe
set search_path = '' as $$
  select url || coalesce(
    (case when pg_catalog.strpos(url, '?') > 0 then '&' else '?' end) || pg_catalog.string_agg(
      net._urlencode_string(key) || '=' || net._urlencode_string(value), '&' order by key), '')
  from pg_catalog.jsonb_each_text(coalesce(params, '{}'))
$$;
create function net._enqueue(method text, url text, headers jsonb, body bytea, timeout_milliseconds integer) returns bigint
language plpgsql volatile set search_path = '' as $$
declare
  request_id bigint;
begin
  if url is null then
    raise exception 'url must not be null' using errcode = 'null_value_not_allowed';
  end if;
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (method, url, coalesce(headers, '{}'), body, coalesce(timeout_milliseconds, 5000))
  returning id into request_id;
  perform pg_catalog.pg_notify('localbase_background', 'net');
  return request_id;
end $$;

create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
) returns bigint language sql volatile security definer set search_path = '' as $$
  select net._enqueue('GET', net._address(url, params), headers, null, timeout_milliseconds)
$$;
create function net.http_post(
  url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
) returns bigint language plpgsql volatile security definer set search_path = '' as $$
declare
  content_type text := (
    select value from pg_catalog.jsonb_each_text(coalesce(headers, '{}')) where pg_catalog.lower(key) = 'content-type' limit 1
  );
begin
  if content_type is not null and content_type !~* '^application/json' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  if content_type is null then
    headers := coalesce(headers, '{}') || '{"Content-Type": "application/json"}';
  end if;
  return net._enqueue('POST', net._address(url, params), headers, pg_catalog.convert_to(body::text, 'UTF8'),
    timeout_milliseconds);
end $$;
create function net.http_delete(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000,
  body jsonb default null
) returns bigint language sql volatile security definer set search_path = '' as $$
  select net._enqueue('DELETE', net._address(url, params),
    case when body is null then headers else coalesce(headers, '{}') || '{"Content-Type": "application/json"}' end,
    pg_catalog.convert_to(body::text, 'UTF8'), timeout_milliseconds)
$$;

create function net._http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result language plpgsql volatile security definer set search_path = '' as $$
declare
  found_row net._http_response;
  message text;
begin
  loop
    select * into found_row from net._http_response where id = request_id;
    exit when found;
    if async then
      return ('PENDING', 'request is pending', null)::net.http_response_result;
    end if;
    perform pg_catalog.pg_sleep(0.05);
  end loop;
  if found_row.error_msg is not null then
    return ('ERROR', found_row.error_msg, null)::net.http_response_result;
  end if;
  return ('SUCCESS', 'ok', row(found_row.status_code, found_row.headers, found_row.content)::net.http_response)
    ::net.http_response_result;
end $$;
create function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result language sql volatile set search_path = '' as $$
  select net._http_collect_response(request_id, async)
$$;
create function net.worker_restart() returns boolean language sql set search_path = '' as $$
  select true from (select pg_catalog.pg_notify('localbase_background', 'net')) as sent
$$;

-- What the gateway's process takes from the queue. Its presence says that this is not the real extension.
create function net._localbase_take(most integer) returns setof net.http_request_queue language sql volatile
set search_path = '' as $$
  delete from net.http_request_queue
  where id in (select id from net.http_request_queue order by id limit most for update skip locked)
  returning *
$$;

revoke all on all functions in schema net from public;
grant usage on schema net to postgres, anon, authenticated, service_role, supabase_functions_admin;
grant execute on function net.http_get, net.http_post, net.http_delete, net.http_collect_response,
  net._http_collect_response to postgres, anon, authenticated, service_role, supabase_functions_admin;
-- An answer may hold secrets of another caller.
revoke execute on function net.http_collect_response, net._http_collect_response from anon, authenticated;
grant execute on function net.worker_restart, net._urlencode_string to postgres;
grant select, delete on net.http_request_queue, net._http_response to postgres;
grant select on net._http_response to service_role, supabase_functions_admin;
