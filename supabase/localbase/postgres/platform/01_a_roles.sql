-- The roles of a Supabase project. `supabase_admin` (superuser) made the cluster; the project's own role `postgres`
-- is deliberately no superuser, so that what its migrations may do here they may do on the hosted platform. On a
-- Postgres of the owner's own the file of `db roles --print` stands in place of this one.
create role postgres login createdb createrole replication bypassrls password 'postgres';
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit password 'postgres';
create role dashboard_user nologin createrole createdb replication;
create role supabase_auth_admin login noinherit createrole password 'postgres';
create role supabase_storage_admin login noinherit createrole password 'postgres';
create role supabase_functions_admin login noinherit createrole password 'postgres';
create role supabase_realtime_admin login noinherit password 'postgres';
create role supabase_replication_admin login replication password 'postgres';
create role supabase_read_only_user login bypassrls password 'postgres';

grant pg_read_all_data, pg_signal_backend to postgres with admin option;
grant pg_read_all_data to supabase_read_only_user;
alter role supabase_admin set search_path = "$user", public;

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
    alter role supabase_realtime_admin password 'postgres';
    alter role supabase_replication_admin password 'postgres';
  end if;
end
$$;
