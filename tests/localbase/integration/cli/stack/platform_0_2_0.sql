-- The platform's schemas as localbase 0.2.0 made them: its files in their order, each noted as it noted them.
create schema if not exists _localbase;
create table if not exists _localbase.platform (name text primary key);
-- file: 01_roles.sql
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
insert into _localbase.platform values ('01_roles.sql');
-- file: 02_schemas.sql
-- Schemas, extensions and default privileges, as on a new Supabase project.
alter database postgres owner to postgres;
alter database postgres set "app.settings.jwt_exp" to 3600;
create schema extensions authorization postgres;
create schema auth authorization supabase_auth_admin;
create schema storage authorization supabase_storage_admin;
create schema realtime authorization supabase_admin;
create schema graphql_public authorization supabase_admin;
grant usage on schema extensions to anon, authenticated, service_role, dashboard_user;
grant all on schema extensions to dashboard_user;
grant usage on schema auth to anon, authenticated, service_role;
grant all on schema auth to postgres, dashboard_user;
grant usage on schema storage to postgres, anon, authenticated, service_role;
grant all on schema storage to postgres, dashboard_user;
grant usage on schema realtime to postgres, anon, authenticated, service_role;
grant usage on schema graphql_public to postgres, anon, authenticated, service_role;
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
insert into _localbase.platform values ('02_schemas.sql');
-- file: 03_auth.sql
-- The `auth` schema as GoTrue keeps it: the columns that projects read, reference and seed.
set role supabase_auth_admin;
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )::text
$$;
create function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  )::text
$$;
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;
create table auth.users (
  instance_id uuid,
  id uuid primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255) default '',
  confirmation_sent_at timestamptz,
  recovery_token varchar(255) default '',
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255) default '',
  email_change varchar(255) default '',
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
create unique index confirmation_token_idx on auth.users (confirmation_token) where confirmation_token !~ '^[0-9 ]*$';
create unique index recovery_token_idx on auth.users (recovery_token) where recovery_token !~ '^[0-9 ]*$';
create index users_instance_id_email_idx on auth.users (instance_id, lower(email::text));
create index users_is_anonymous_idx on auth.users (is_anonymous);
create table auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid primary key default gen_random_uuid(),
  unique (provider_id, provider)
);
create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email text_pattern_ops);
create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token',
  'email_change_token_new', 'email_change_token_current', 'phone_change_token'
);
create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  aal auth.aal_level,
  not_after timestamptz,
  refreshed_at timestamp,
  user_agent text,
  ip inet,
  tag text
);
create index sessions_user_id_idx on auth.sessions (user_id);
create index user_id_created_at_idx on auth.sessions (user_id, created_at);
create table auth.refresh_tokens (
  instance_id uuid,
  id bigserial primary key,
  token varchar(255) unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid references auth.sessions (id) on delete cascade
);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_instance_id_user_id_idx on auth.refresh_tokens (instance_id, user_id);
create table auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  id uuid primary key,
  unique (session_id, authentication_method)
);
create table auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null check (char_length(token_hash) > 0),
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now(),
  unique (user_id, token_type)
);
create index one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
create table auth.flow_state (
  id uuid primary key,
  user_id uuid,
  auth_code text not null,
  code_challenge_method auth.code_challenge_method not null,
  code_challenge text not null,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  created_at timestamptz,
  updated_at timestamptz,
  authentication_method text not null,
  auth_code_issued_at timestamptz
);
create index idx_auth_code on auth.flow_state (auth_code);
create index flow_state_created_at_idx on auth.flow_state (created_at desc);
create table auth.audit_log_entries (
  instance_id uuid,
  id uuid primary key,
  payload json,
  created_at timestamptz,
  ip_address varchar(64) not null default ''
);
create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);
reset role;
-- The project's role may read, reference and put triggers on these tables, but does not own them.
grant all on all tables in schema auth to postgres, dashboard_user;
grant all on all sequences in schema auth to postgres, dashboard_user;
grant all on all routines in schema auth to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth grant all on tables to postgres, dashboard_user;
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.audit_log_entries enable row level security;
insert into _localbase.platform values ('03_auth.sql');
-- file: 04_storage.sql
-- The `storage` schema as the Storage API keeps it. Files live on disk; rows here say who may reach them.
set role supabase_storage_admin;
create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';
create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text,
  owner uuid,
  owner_id text,
  version text,
  metadata jsonb,
  user_metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now()
);
comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index name_prefix_search on storage.objects (name text_pattern_ops);
create function storage.foldername(name text) returns text[] language sql immutable as $$
  select parts[1 : array_length(parts, 1) - 1] from (select string_to_array(name, '/') as parts) as split
$$;
create function storage.filename(name text) returns text language sql immutable as $$
  select parts[array_length(parts, 1)] from (select string_to_array(name, '/') as parts) as split
$$;
create function storage.extension(name text) returns text language sql immutable as $$
  select reverse(split_part(reverse(storage.filename(name)), '.', 1))
$$;
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
reset role;
grant all on storage.buckets, storage.objects to postgres, anon, authenticated, service_role;
grant all on all functions in schema storage to postgres, anon, authenticated, service_role;
-- On the hosted platform a project's role writes policies on these two tables through an extension of its own; here
-- membership in the owning role gives the same power.
grant supabase_storage_admin to postgres;
insert into _localbase.platform values ('04_storage.sql');
-- file: 05_migrations.sql
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
insert into _localbase.platform values ('05_migrations.sql');
-- file: 06_parameters.sql
-- The project's role may configure the Data API in the database (`alter role authenticator set pgrst.…`), as on the
-- hosted platform, and its functions may keep settings of their own below `app.settings`.
grant set on parameter
  "pgrst.db_schemas", "pgrst.db_extra_search_path", "pgrst.db_max_rows", "pgrst.db_pre_request",
  "pgrst.db_aggregates_enabled", "pgrst.db_plan_enabled", "pgrst.db_tx_end", "pgrst.db_root_spec",
  "pgrst.db_anon_role", "pgrst.db_hoisted_tx_settings", "pgrst.db_timezone_enabled",
  "pgrst.openapi_mode", "pgrst.openapi_server_proxy_uri", "pgrst.openapi_security_active",
  "pgrst.jwt_aud", "pgrst.jwt_role_claim_key", "pgrst.jwt_secret", "pgrst.jwt_secret_is_base64",
  "pgrst.server_cors_allowed_origins", "app.settings.jwt_secret", "app.settings.jwt_exp"
  to postgres;
insert into _localbase.platform values ('06_parameters.sql');
-- file: 07_oauth.sql
-- A sign-in at a provider begins before there is a user, may not use PKCE, and ends at the address it came from.
alter table auth.flow_state alter column auth_code drop not null;
alter table auth.flow_state alter column code_challenge drop not null;
alter table auth.flow_state alter column code_challenge_method drop not null;
alter table auth.flow_state add column referrer text;
insert into _localbase.platform values ('07_oauth.sql');
-- file: 08_more_parameters.sql
-- Further configuration of the Data API that PostgREST reads from the database.
grant set on parameter
  "pgrst.client_error_verbosity", "pgrst.db_prepared_statements", "pgrst.server_timing_enabled",
  "pgrst.server_trace_header", "pgrst.url_use_legacy_target_names"
  to postgres;
insert into _localbase.platform values ('08_more_parameters.sql');
-- file: 09_last_parameters.sql
-- What was still missing of the configuration that PostgREST reads from the database.
grant set on parameter "pgrst.db_pre_config", "pgrst.jwt_cache_max_lifetime" to postgres;
insert into _localbase.platform values ('09_last_parameters.sql');
-- file: 10_light_passwords.sql
-- The services' own roles have a password that everybody knows. To make guessing it dear would cost 5 ms of processor
-- time at each end of every new connection, and the gateway's loop stands still meanwhile. People's roles keep the
-- usual 4096 rounds, for some clients insist on them. (Postgres 15 knows no other number.)
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
insert into _localbase.platform values ('10_light_passwords.sql');
-- file: 11_more_schemas.sql
-- Schemas that every hosted project has, and that dumps of a project name.
create schema if not exists graphql authorization supabase_admin;
create schema if not exists vault authorization supabase_admin;
grant usage on schema graphql, vault to postgres, anon, authenticated, service_role;
insert into _localbase.platform values ('11_more_schemas.sql');
