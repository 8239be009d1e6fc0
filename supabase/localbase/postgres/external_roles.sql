-- The roles of a Supabase project on a Postgres of the owner's own, and with the next part all that `localbase start`
-- needs a superuser for. A second run changes nothing but the passwords, which become those of db.external_url.
do $$
begin
  if current_setting('server_version_num')::integer < 150000 then
    raise exception 'This is Postgres %, and localbase needs 15 or later.', current_setting('server_version');
  elsif not (select rolsuper from pg_roles where rolname = current_user) then
    raise exception 'Run this as a superuser.';
  elsif exists (select from pg_roles where rolname = 'postgres' and rolsuper) then
    raise exception 'The role postgres is a superuser here, and a project''s own role of that name must be none.'
      using hint = 'Make the server with another superuser: initdb --username=owner.';
  elsif current_setting('wal_level') <> 'logical' then
    raise exception 'wal_level is %, and Realtime reads changes from a logical log.', current_setting('wal_level')
      using hint = 'Run `alter system set wal_level = logical`, start the server anew, and run this file again.';
  elsif exists (select from pg_namespace where nspname = 'auth') and to_regclass('_localbase.platform') is null then
    raise exception 'The schema auth of this database is not localbase''s.'
      using hint = 'Make a database of its own for the project: create database shop.';
  end if;
end
$$;

-- Less than localbase gives them in a Postgres that it makes: no service makes roles, and before Postgres 16 whoever may
-- make roles may become the server's account.
do $$
declare
  role text[];
begin
  foreach role slice 1 in array array[
    ['postgres', 'login inherit createdb bypassrls noreplication'],
    ['anon', 'nologin noinherit'],
    ['authenticated', 'nologin noinherit'],
    ['service_role', 'nologin noinherit bypassrls'],
    ['authenticator', 'login noinherit'],
    ['dashboard_user', 'nologin'],
    ['supabase_auth_admin', 'login noinherit'],
    ['supabase_storage_admin', 'login noinherit'],
    ['supabase_functions_admin', 'nologin noinherit'],
    ['supabase_realtime_admin', 'login noinherit'],
    ['supabase_replication_admin', 'login replication']
  ] loop
    if not exists (select from pg_roles where rolname = role[1]) then
      execute format('create role %I', role[1]);
    end if;
    execute format('alter role %I %s', role[1], role[2]);
  end loop;
  if current_setting('server_version_num')::integer >= 160000 then
    alter role postgres createrole;
  end if;
end
$$;
-- `postgres` makes the schemas of Auth, Storage and Realtime, and gives them to these.
grant supabase_auth_admin, supabase_functions_admin to postgres;

