-- What a hosted project has by extensions: webhooks, the vault, and triggers of its own on Auth's tables.

-- pg_net, which every project of the official stack has (on a Postgres of the owner's own, where `db roles --print` found
-- it), and database webhooks on top of it: a trigger that calls
-- `supabase_functions.http_request(url, method, headers, params, timeout)` posts the row's change.
do $$
begin
  if current_setting('is_superuser') = 'on' and exists (select from pg_available_extensions where name = 'pg_net') then
    create extension if not exists pg_net with schema extensions;
  end if;
end $$;

create schema supabase_functions;
grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
-- An owner that is given a function must be one that may make it.
grant all on schema supabase_functions to supabase_functions_admin;
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
grant select, delete on supabase_functions.hooks to service_role;
-- A dump of a hosted project brings its rows.
grant all on supabase_functions.hooks, supabase_functions.hooks_id_seq to postgres;

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
-- Its owner is no superuser, as there: the project's role may put triggers on the table, and replace pg_net.
alter function supabase_functions.http_request() owner to supabase_functions_admin;
grant insert on supabase_functions.hooks to supabase_functions_admin;
grant usage on sequence supabase_functions.hooks_id_seq to supabase_functions_admin;
create policy service on supabase_functions.hooks for insert to supabase_functions_admin with check (true);
revoke all on function supabase_functions.http_request() from public;
grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;

-- The vault, which every project has.
do $$
begin
  if current_setting('is_superuser') = 'on'
    and exists (select from pg_available_extensions where name = 'supabase_vault') then
    create extension if not exists supabase_vault with schema vault cascade;
  end if;
end $$;
