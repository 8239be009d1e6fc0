-- What a Supabase project has and `@supabase/lite` does not make: a schema for extensions, the publication of Realtime,
-- and the roles' rights on `public`.

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
grant usage on schema public to anon, authenticated, service_role;
create schema extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create publication supabase_realtime;
