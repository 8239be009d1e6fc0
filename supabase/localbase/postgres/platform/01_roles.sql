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
