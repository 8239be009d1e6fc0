-- What a hosted project has by extensions: webhooks, the vault, and triggers of its own on Auth's tables.

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
  if exists (select from pg_available_extensions where name = 'supabase_vault') then
    create extension if not exists supabase_vault with schema vault cascade;
  end if;
end $$;

-- The project's role puts triggers and policies on Auth's tables, changes and drops them. On the hosted platform an
-- extension in C allows just that (supautils: `drop_trigger_grants`, `policy_grants`). Postgres itself wants the table's
-- owner for it: so the role is a member of the owner, and all else that an owner may do is rejected at the command's end.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant supabase_auth_admin to postgres with set false';
  else
    grant supabase_auth_admin to postgres;
  end if;
end
$$;

-- Any role's changes are events, and the guards below run as that role.
grant usage on schema _localbase to public;

-- Auth's own objects, by their numbers: one that was dropped, or given away, has not its owner any more.
do $outer$
begin
  execute pg_catalog.format(
    'create function _localbase.auth_objects() returns oid[] language sql immutable return %L::oid[]',
    (
      select pg_catalog.array_agg(oid) from (
        select oid, relowner as owner from pg_catalog.pg_class where relnamespace = 'auth'::regnamespace
        union all select oid, proowner from pg_catalog.pg_proc where pronamespace = 'auth'::regnamespace
        union all select oid, typowner from pg_catalog.pg_type where typnamespace = 'auth'::regnamespace
        union all select oid, nspowner from pg_catalog.pg_namespace where nspname = 'auth'
      ) as objects
      where owner = 'supabase_auth_admin'::regrole
    )
  );
end
$outer$;

create function _localbase.guard_auth_changes() returns event_trigger language plpgsql set search_path = '' as $$
declare
  refused text;
begin
  if current_user = 'supabase_auth_admin' or current_setting('is_superuser') = 'on' then
    return;
  end if;
  select coalesce(command.object_identity, command.object_type) into refused
  from pg_catalog.pg_event_trigger_ddl_commands() as command
  where command.command_tag not in ('GRANT', 'REVOKE', 'ALTER DEFAULT PRIVILEGES')
    and (command.objid = any (_localbase.auth_objects()) or 'supabase_auth_admin'::pg_catalog.regrole = case command.classid
      when 'pg_catalog.pg_class'::pg_catalog.regclass
        then (select relowner from pg_catalog.pg_class where oid = command.objid)
      when 'pg_catalog.pg_proc'::pg_catalog.regclass
        then (select proowner from pg_catalog.pg_proc where oid = command.objid)
      when 'pg_catalog.pg_type'::pg_catalog.regclass
        then (select typowner from pg_catalog.pg_type where oid = command.objid)
      when 'pg_catalog.pg_namespace'::pg_catalog.regclass
        then (select nspowner from pg_catalog.pg_namespace where oid = command.objid)
      when 'pg_catalog.pg_rewrite'::pg_catalog.regclass
        then (select c.relowner from pg_catalog.pg_rewrite r join pg_catalog.pg_class c on c.oid = r.ev_class
              where r.oid = command.objid)
      when 'pg_catalog.pg_publication_rel'::pg_catalog.regclass
        then (select c.relowner from pg_catalog.pg_publication_rel p join pg_catalog.pg_class c on c.oid = p.prrelid
              where p.oid = command.objid)
    end)
  limit 1;
  if refused is not null then
    raise exception 'must be owner of %', refused using errcode = 'insufficient_privilege';
  end if;
end $$;

create function _localbase.guard_auth_drops() returns event_trigger language plpgsql set search_path = '' as $$
declare
  refused text;
begin
  if current_user = 'supabase_auth_admin' or current_setting('is_superuser') = 'on' then
    return;
  end if;
  select dropped.object_identity into refused
  from pg_catalog.pg_event_trigger_dropped_objects() as dropped
  where dropped.objid = any (_localbase.auth_objects()) and dropped.objsubid = 0
  limit 1;
  if refused is not null then
    raise exception 'must be owner of %', refused using errcode = 'insufficient_privilege';
  end if;
end $$;
revoke execute on function _localbase.guard_auth_changes, _localbase.guard_auth_drops from public;

create event trigger guard_auth_changes on ddl_command_end execute function _localbase.guard_auth_changes();
create event trigger guard_auth_drops on sql_drop execute function _localbase.guard_auth_drops();
-- Also past `session_replication_role = replica`, which the project's role may set.
alter event trigger guard_auth_changes enable always;
alter event trigger guard_auth_drops enable always;
