-- What the hosted platform gives the role `postgres` beyond what Postgres gives an owner: settings, extensions, foreign
-- data, predefined roles. The lists are `allowlist.toml`'s, of which a copy lies beside the data. The functions are not in
-- `extensions`: that schema is the project's, and a schema's owner may drop and replace what is in it.
create function _localbase.allowlist(part text) returns jsonb language sql stable set search_path = '' as $$
  select pg_catalog.pg_read_file('localbase/allowlist.json')::jsonb -> part
$$;
revoke execute on function _localbase.allowlist from public;

do $$
declare
  setting text;
begin
  for setting in select jsonb_array_elements_text(_localbase.allowlist('settings')) loop
    execute format('grant set on parameter %I to postgres', setting);
  end loop;
  if current_setting('server_version_num')::integer >= 160000 then
    grant pg_create_subscription to postgres;
  end if;
end $$;
grant execute on function pg_catalog.pg_reload_conf() to postgres;
grant usage on schema storage, realtime to postgres with grant option;

-- What an extension of the platform's makes is the project's to use and to give on.
grant all on all tables in schema extensions to postgres with grant option;
grant all on all routines in schema extensions to postgres with grant option;
alter default privileges in schema extensions grant all on tables to postgres with grant option;
alter default privileges in schema extensions grant all on routines to postgres with grant option;
alter default privileges in schema extensions grant all on sequences to postgres with grant option;

-- The project's role owns the extensions of the list, also those of the platform's making: so it changes and drops them.
create function _localbase.grant_extension_access() returns event_trigger language plpgsql security definer
set search_path = '' as $$
declare
  created record;
  statement text;
begin
  for created in
    select e.oid, e.extname, n.nspname
    from pg_catalog.pg_event_trigger_ddl_commands() as command
    join pg_catalog.pg_extension e on e.oid = command.objid
    join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where command.classid = 'pg_catalog.pg_extension'::pg_catalog.regclass
  loop
    statement := _localbase.allowlist('after_create') ->> created.extname::text;
    if statement is not null then
      execute replace(statement, '@schema@', pg_catalog.quote_ident(created.nspname));
    end if;
    perform _localbase.own_extensions();
  end loop;
end $$;
create function _localbase.own_extensions() returns void language sql set search_path = '' as $$
  update pg_catalog.pg_extension set extowner = 'postgres'::pg_catalog.regrole
  where extowner = 'supabase_admin'::pg_catalog.regrole and _localbase.allowlist('extensions') ? extname::text
$$;
revoke execute on function _localbase.grant_extension_access, _localbase.own_extensions from public;
select _localbase.own_extensions();
create event trigger grant_extension_access on ddl_command_end when tag in ('CREATE EXTENSION')
  execute function _localbase.grant_extension_access();
alter event trigger grant_extension_access enable always;

-- Event triggers of the project belong to `postgres`, as there, where an extension in C skips them for superusers. Here
-- their functions run as their owner, also for an event that the platform causes: so none runs with its rights. A
-- function that loses that by a later change has it again before any of them runs: this trigger's name is the first of
-- all names.
create function _localbase.guard_event_triggers() returns event_trigger language plpgsql security definer
set search_path = '' as $$
begin
  if tg_tag in ('CREATE PUBLICATION', 'ALTER PUBLICATION') then
    alter role postgres nosuperuser;
  end if;
  -- No `alter function`: that would be an event again.
  update pg_catalog.pg_proc p set prosecdef = true
  from pg_catalog.pg_event_trigger t, pg_catalog.pg_roles r
  where p.oid = t.evtfoid and r.oid = p.proowner and not p.prosecdef and not r.rolsuper;
end $$;
revoke execute on function _localbase.guard_event_triggers from public;
do $$
begin
  execute format('create event trigger %I on ddl_command_end execute function _localbase.guard_event_triggers()', chr(1));
  execute format('alter event trigger %I enable always', chr(1));
  -- What a publication leaves out is dropped before the command's end: the second of all names.
  execute format(
    'create event trigger %I on sql_drop when tag in (''ALTER PUBLICATION'')'
    ' execute function _localbase.guard_event_triggers()', repeat(chr(1), 2));
  execute format('alter event trigger %I enable always', repeat(chr(1), 2));
end $$;

-- Publications of all tables and of schemas, which Postgres wants a superuser for: the project's role is one from the
-- last trigger before the statement until the first one after it (above), to no transaction but this. No code of the
-- project's runs between the two: this trigger's name is the last of all names. Reading a constant of a filter checks the
-- domains in its type: where a domain's check calls a function of the project's, the role is lent nothing.
create function _localbase.lend_publication_rights() returns event_trigger language plpgsql security definer
set search_path = '' as $$
begin
  -- Two at once would change the role at once.
  perform pg_catalog.pg_advisory_xact_lock('pg_catalog.pg_publication'::pg_catalog.regclass::pg_catalog.int8);
  if not exists (
    select from pg_catalog.pg_constraint c
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass and d.objid = c.oid
    left join pg_catalog.pg_operator o on d.refclassid = 'pg_catalog.pg_operator'::pg_catalog.regclass and o.oid = d.refobjid
    join pg_catalog.pg_proc p on p.oid = coalesce(
      o.oprcode, case d.refclassid when 'pg_catalog.pg_proc'::pg_catalog.regclass then d.refobjid end)
    join pg_catalog.pg_roles r on r.oid = p.proowner
    where c.contypid <> 0 and not r.rolsuper
  ) then
    alter role postgres superuser;
  end if;
end $$;
revoke execute on function _localbase.lend_publication_rights from public;
do $$
declare
  last_name text := repeat(chr(1114111), 15) || chr(65535);
begin
  execute format(
    'create event trigger %I on ddl_command_start when tag in (''CREATE PUBLICATION'', ''ALTER PUBLICATION'')'
    ' execute function _localbase.lend_publication_rights()', last_name);
  execute format('alter event trigger %I enable always', last_name);
end $$;

-- The embedded Postgres is built without ICU.
do $outer$
begin
  if exists (select from pg_collation where collname = 'und-x-icu') then
    return;
  end if;
  create function _localbase.explain_missing_icu() returns event_trigger language plpgsql set search_path = '' as $$
  begin
    if pg_catalog.current_query() ~* 'provider\s*=\s*[''"]?icu' then
      raise exception 'ICU is not supported in this build' using errcode = 'feature_not_supported',
        hint = 'A Postgres that has ICU can be named in PG_BIN; a lower() index or citext compares without case here.';
    end if;
  end $$;
  create event trigger explain_missing_icu on ddl_command_start when tag in ('CREATE COLLATION')
    execute function _localbase.explain_missing_icu();
end $outer$;

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
