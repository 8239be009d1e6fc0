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
