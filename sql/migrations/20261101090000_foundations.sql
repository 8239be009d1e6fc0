-- What every later migration stands on: extensions, the schema for what the API must not see, and silence by default.
--
-- These files run as the ordinary role `postgres` (not a superuser), on hosted Supabase and locally alike.

create extension if not exists pg_trgm with schema extensions;

-- `private` is not among the API's exposed schemas and nobody but its owner may look into it. Policies and views may
-- still call its functions, because a policy's names are resolved when the policy is made, with the owner's rights.
create schema if not exists private;
comment on schema private is
  'Tables and helpers behind the API. No usage is granted to anon, authenticated or service_role.';
revoke all on schema private from public;

-- Supabase grants ALL on every new table, sequence and function of `public` to its API roles and leaves the rest to
-- row security. We grant instead, table by table and column by column; a forgotten grant then fails closed.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end;
$$;
comment on function private.touch_updated_at() is 'The server''s clock sets updated_at, whatever the client sent.';
