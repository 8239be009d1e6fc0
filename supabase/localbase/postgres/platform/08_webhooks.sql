-- pg_net, which every project of the official stack has, and database webhooks on top of it: a trigger that calls
-- `supabase_functions.http_request(url, method, headers, params, timeout)` posts the row's change.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_net') then
    create extension if not exists pg_net with schema extensions;
  end if;
end $$;

create schema supabase_functions authorization supabase_admin;
grant usage on schema supabase_functions to postgres, anon, authenticated, service_role, supabase_functions_admin;
create table supabase_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
comment on table supabase_functions.hooks is 'The requests of database webhooks, by trigger.';
create index on supabase_functions.hooks (request_id);
create index on supabase_functions.hooks (hook_table_id, hook_name);
alter table supabase_functions.hooks enable row level security;
grant select, delete on supabase_functions.hooks to postgres, service_role;

create function supabase_functions.http_request() returns trigger language plpgsql security definer
set search_path = '' as $$
declare
  url text := nullif(tg_argv[0], 'null');
  method text := nullif(tg_argv[1], 'null');
  headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
  params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
  timeout_ms integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
  request_id bigint;
begin
  if url is null then
    raise exception 'url argument is missing';
  elsif method is null then
    raise exception 'method argument is missing';
  elsif method = 'GET' then
    request_id := net.http_get(url, params, headers, timeout_ms);
  elsif method = 'POST' then
    request_id := net.http_post(
      url,
      pg_catalog.jsonb_build_object(
        'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema, 'record', new, 'old_record', old),
      params, headers, timeout_ms);
  else
    raise exception 'method argument % is invalid', method;
  end if;
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid, tg_name, request_id);
  return coalesce(new, old);
end $$;
revoke all on function supabase_functions.http_request() from public;
grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;
