-- The roles of a Supabase project. `supabase_admin` (superuser) made the cluster; the project's own role `postgres`
-- is deliberately no superuser, so that what its migrations may do here they may do on the hosted platform.
create role postgres login createdb createrole replication bypassrls password 'postgres';
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit password 'postgres';
create role dashboard_user nologin createrole createdb replication;
create role supabase_auth_admin login noinherit createrole password 'postgres';
create role supabase_storage_admin login noinherit createrole password 'postgres';
create role supabase_functions_admin login noinherit createrole password 'postgres';
create role supabase_realtime_admin nologin noinherit;
create role supabase_replication_admin login replication password 'postgres';
create role supabase_read_only_user login bypassrls password 'postgres';

-- The API logs in as `authenticator`, which may do nothing but become one of these three.
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to supabase_storage_admin;
grant anon, authenticated, service_role, authenticator to postgres with admin option;
grant supabase_realtime_admin to postgres;
grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres with admin option;
grant pg_read_all_data to supabase_read_only_user;

-- A runaway query of a visitor must not hold a connection for long (the hosted platform's values).
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

-- The services' own roles have a public password. More rounds would cost 5 ms of processor time at each end
-- of every new connection, and would block the gateway's loop meanwhile. Login roles of clients have the usual 4096
-- rounds, which some clients require. (Postgres 15 has no other number.)
do $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    set local scram_iterations = 1;
    alter role authenticator password 'postgres';
    alter role supabase_auth_admin password 'postgres';
    alter role supabase_storage_admin password 'postgres';
  end if;
end
$$;

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

-- Schemas, extensions and default privileges, as on a new Supabase project.
alter database postgres owner to postgres;
alter database postgres set "app.settings.jwt_exp" to 3600;

create schema extensions authorization postgres;
create schema auth authorization supabase_auth_admin;
create schema storage authorization supabase_storage_admin;
create schema realtime authorization supabase_admin;
create schema graphql_public authorization supabase_admin;
-- Dumps of hosted projects name these two.
create schema if not exists graphql authorization supabase_admin;
create schema if not exists vault authorization supabase_admin;

grant usage on schema extensions to anon, authenticated, service_role, dashboard_user;
grant all on schema extensions to dashboard_user;
grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to postgres, dashboard_user;
grant usage on schema storage to postgres, anon, authenticated, service_role;
grant all on schema storage to postgres, dashboard_user;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
grant usage on schema graphql_public, graphql, vault to postgres, anon, authenticated, service_role;

create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pg_stat_statements with schema extensions;
grant execute on all functions in schema extensions to anon, authenticated, service_role;

-- The project's role owns the database, and may give it a search path: none may lead the platform to its functions.
alter role supabase_admin set search_path = "$user", public;
alter role supabase_auth_admin set search_path = auth, public;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = 60000;
alter role supabase_storage_admin set search_path = storage, public;
alter role postgres set search_path = "$user", public, extensions;
alter role authenticator set search_path = public, extensions;

-- Every table that a project makes in `public` can be reached through the Data API; row-level security is what guards it.
grant usage on schema public to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on tables to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on functions to postgres, anon, authenticated, service_role;
alter default privileges for role postgres in schema public
  grant all on sequences to postgres, anon, authenticated, service_role;

create publication supabase_realtime;
alter publication supabase_realtime owner to postgres;

-- The Data API reloads what it knows of the schema when it hears this, as with the hosted platform's event triggers.
create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql as $$
begin
  if exists (
    select from pg_event_trigger_ddl_commands()
    where schema_name is distinct from 'pg_temp'
      and command_tag !~ '^(CREATE|ALTER) (EXTENSION|PUBLICATION|SUBSCRIPTION)'
  ) then
    notify pgrst, 'reload schema';
  end if;
end $$;
create function extensions.pgrst_drop_watch() returns event_trigger language plpgsql as $$
begin
  if exists (select from pg_event_trigger_dropped_objects() where not is_temporary) then
    notify pgrst, 'reload schema';
  end if;
end $$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();

-- Which migrations and seeds have been applied: the official CLI's table, so that both tools agree on one database.
create schema supabase_migrations authorization postgres;
create table supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text
);
create table supabase_migrations.seed_files (
  path text primary key,
  hash text not null
);
alter table supabase_migrations.schema_migrations owner to postgres;
alter table supabase_migrations.seed_files owner to postgres;
