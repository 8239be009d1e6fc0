-- What the roles are to each other, and what only a superuser may give them. Also a part of what `db roles --print`
-- prints: so a second run changes nothing.

-- The API logs in as `authenticator`, which may do nothing but become one of these three.
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to supabase_storage_admin;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant pg_monitor to postgres with admin option;
-- On the hosted platform a project's role writes policies on Storage's tables through an extension of its own; here
-- membership in the owning role gives the same power.
grant supabase_storage_admin, supabase_realtime_admin to postgres;

-- Realtime may become any role that a token may name, so that its policies apply: those of `authenticator`, which include
-- the project's own. It turns the log's texts into JSON by the columns' types, which may be a project's own in any
-- schema; to name those it needs that schema's USAGE. Row-level security still holds for it.
grant anon, authenticated, service_role, authenticator to supabase_realtime_admin;
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant pg_read_all_data to supabase_realtime_admin with inherit true';
  else
    alter role supabase_realtime_admin inherit;
    grant pg_read_all_data to supabase_realtime_admin;
  end if;
end
$$;
alter role supabase_realtime_admin set search_path = public, extensions;
alter role supabase_realtime_admin set statement_timeout = '8s';
alter role supabase_realtime_admin set lock_timeout = '8s';

-- A runaway query of a visitor must not hold a connection for long (the hosted platform's values).
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
-- A change of every row is refused to the Data API, as `safeupdate` does it there.
alter role authenticator set safeupdate.enabled = on;

-- The project's role owns the database, and may give it a search path: none may lead the platform to its functions.
alter role supabase_auth_admin set search_path = auth, public;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = 60000;
alter role supabase_storage_admin set search_path = storage, public;
alter role postgres set search_path = "$user", public, extensions;
alter role authenticator set search_path = public, extensions;

-- The project's role may configure the Data API in the database (`alter role authenticator set pgrst.…`), as on the
-- hosted platform, and its functions may have settings of their own below `app.settings`.
grant set on parameter
  "pgrst.client_error_verbosity", "pgrst.db_aggregates_enabled", "pgrst.db_anon_role", "pgrst.db_extra_search_path",
  "pgrst.db_hoisted_tx_settings", "pgrst.db_max_rows", "pgrst.db_plan_enabled", "pgrst.db_pre_config",
  "pgrst.db_pre_request", "pgrst.db_prepared_statements", "pgrst.db_root_spec", "pgrst.db_schemas",
  "pgrst.db_timezone_enabled", "pgrst.db_tx_end", "pgrst.jwt_aud", "pgrst.jwt_cache_max_lifetime",
  "pgrst.jwt_role_claim_key", "pgrst.jwt_secret", "pgrst.jwt_secret_is_base64", "pgrst.openapi_mode",
  "pgrst.openapi_security_active", "pgrst.openapi_server_proxy_uri", "pgrst.server_cors_allowed_origins",
  "pgrst.server_timing_enabled", "pgrst.server_trace_header", "pgrst.url_use_legacy_target_names",
  "app.settings.jwt_exp", "app.settings.jwt_secret"
  to postgres;
-- Data is loaded past triggers and foreign keys, as on the hosted platform (supautils allows it there).
grant set on parameter session_replication_role to postgres;

do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format('alter database %I set "app.settings.jwt_exp" to 3600', current_database());
end
$$;

create schema if not exists extensions authorization postgres;
grant usage on schema extensions to anon, authenticated, service_role, dashboard_user, supabase_realtime_admin;
grant all on schema extensions to dashboard_user;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pg_stat_statements with schema extensions;
grant execute on all functions in schema extensions to anon, authenticated, service_role;

-- The Data API reloads what it knows of the schema when it hears this, as with the hosted platform's event triggers.
create or replace function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
begin
  if exists (
    select from pg_event_trigger_ddl_commands()
    where schema_name is distinct from 'pg_temp'
      and command_tag !~ '^(CREATE|ALTER) (EXTENSION|PUBLICATION|SUBSCRIPTION)'
  ) then
    notify pgrst, 'reload schema';
  end if;
end $$;
create or replace function extensions.pgrst_drop_watch() returns event_trigger language plpgsql as $$
begin
  if exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
    notify pgrst, 'reload schema';
  end if;
end $$;
drop event trigger if exists pgrst_ddl_watch;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
drop event trigger if exists pgrst_drop_watch;
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
