-- The project's role puts triggers and policies on Auth's tables, changes and drops them. On the hosted platform an
-- extension in C allows just that (supautils: `drop_trigger_grants`, `policy_grants`). Postgres itself wants the table's
-- owner for it: so the role is a member of the owner, and whatever else an owner may do is refused at the command's end.
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant supabase_auth_admin to postgres with set false';
  else
    grant supabase_auth_admin to postgres;
  end if;
end
$$;

-- Auth's own objects, by their numbers: one that was dropped, or given away, has not its owner any more.
do $outer$
begin
  execute pg_catalog.format(
    'create function extensions.auth_objects() returns oid[] language sql immutable return %L::oid[]',
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

create function extensions.guard_auth_changes() returns event_trigger language plpgsql set search_path = '' as $$
declare
  refused text;
begin
  if current_user = 'supabase_auth_admin' or current_setting('is_superuser') = 'on' then
    return;
  end if;
  select coalesce(command.object_identity, command.object_type) into refused
  from pg_catalog.pg_event_trigger_ddl_commands() as command
  where command.command_tag not in ('GRANT', 'REVOKE', 'ALTER DEFAULT PRIVILEGES')
    and (command.objid = any (extensions.auth_objects()) or 'supabase_auth_admin'::pg_catalog.regrole = case command.classid
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

create function extensions.guard_auth_drops() returns event_trigger language plpgsql set search_path = '' as $$
declare
  refused text;
begin
  if current_user = 'supabase_auth_admin' or current_setting('is_superuser') = 'on' then
    return;
  end if;
  select dropped.object_identity into refused
  from pg_catalog.pg_event_trigger_dropped_objects() as dropped
  where dropped.objid = any (extensions.auth_objects()) and dropped.objsubid = 0
  limit 1;
  if refused is not null then
    raise exception 'must be owner of %', refused using errcode = 'insufficient_privilege';
  end if;
end $$;
revoke execute on function extensions.guard_auth_changes, extensions.guard_auth_drops from public;

create event trigger guard_auth_changes on ddl_command_end execute function extensions.guard_auth_changes();
create event trigger guard_auth_drops on sql_drop execute function extensions.guard_auth_drops();
-- Also past `session_replication_role = replica`, which the project's role may set.
alter event trigger guard_auth_changes enable always;
alter event trigger guard_auth_drops enable always;
