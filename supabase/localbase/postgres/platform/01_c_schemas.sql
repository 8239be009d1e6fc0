-- Schemas and default privileges, as on a new Supabase project. This file, and each but the two before it and
-- `06_privileges.sql`, needs no superuser: on a Postgres of the owner's own it runs as `postgres`.
create schema auth authorization supabase_auth_admin;
create schema storage authorization supabase_storage_admin;
create schema realtime;
create schema graphql_public;
-- Dumps of hosted projects name these two.
create schema if not exists graphql;
create schema if not exists vault;

grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to postgres, dashboard_user;
grant usage on schema storage to postgres, anon, authenticated, service_role;
grant all on schema storage to postgres, dashboard_user;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
grant usage on schema graphql_public, graphql, vault to postgres, anon, authenticated, service_role;

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
