-- People: one row for everybody who has an account, and the question "is the caller an admin?".
--
-- The API's `public.profiles` is a view of this table; it comes in 20261101090500_profiles.sql, after the gallery,
-- because who may see a name depends on what is published.

create table private.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text check (length(username) <= 120),
  name text check (length(name) <= 120),
  is_admin boolean not null default false,
  public_name text check (public_name = btrim(public_name) and public_name <> '' and length(public_name) <= 60),
  created_at timestamptz not null default now()
);
comment on table private.profiles is
  'One row per account, made by a trigger on auth.users. Not granted to any API role: read and written as public.profiles.';
comment on column private.profiles.username is 'What we call them before they tell us a name; the shipping form splits it at the space.';
comment on column private.profiles.public_name is 'The name under published designs; null is shown as Anonymous.';
comment on column private.profiles.is_admin is 'Opens the admin panel. Nobody can set their own (see private.write_profile).';

alter table private.profiles enable row level security;  -- and no policy: only the owner gets in

create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((select p.is_admin from private.profiles p where p.id = (select auth.uid())), false);
$$;
comment on function private.is_admin() is 'Whether the caller is an admin. Definer''s rights: nobody may read the table itself.';
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

create function private.has_public_name() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from private.profiles p where p.id = (select auth.uid()) and p.public_name is not null);
$$;
comment on function private.has_public_name() is 'Publishing needs a name to publish under.';
revoke all on function private.has_public_name() from public;
grant execute on function private.has_public_name() to authenticated;

create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  told jsonb := coalesce(new.raw_user_meta_data, '{}');
  full_name text := coalesce(nullif(btrim(told ->> 'full_name'), ''), nullif(btrim(told ->> 'name'), ''));
begin
  -- cut to the table's limits: what a sign-up form sends must never be the reason why a sign-up fails
  insert into private.profiles (id, username, name, created_at)
  values (
    new.id,
    left(coalesce(nullif(btrim(told ->> 'username'), ''), full_name, nullif(split_part(new.email, '@', 1), '')), 120),
    left(full_name, 120),
    coalesce(new.created_at, now())
  )
  on conflict (id) do nothing;
  return new;
end;
$$;
comment on function private.create_profile() is 'Gives every new account its profile; is_admin and public_name are never taken from sign-up data.';
revoke all on function private.create_profile() from public;

create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

-- Accounts that existed before this migration (a project that had users already).
insert into private.profiles (id, username)
select u.id, left(nullif(split_part(u.email, '@', 1), ''), 120) from auth.users u
on conflict (id) do nothing;

create table public.user_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  login_at timestamptz not null default now(),
  user_agent text check (length(user_agent) <= 1024)
);
comment on table public.user_sessions is
  'One row per sign-in, written by the browser and counted by get_user_analytics. Deliberately not granted: update, '
  'delete, and reading (a browser has no use for its own history).';
create index user_sessions_user_id_login_at_idx on public.user_sessions (user_id, login_at desc);

alter table public.user_sessions enable row level security;
grant insert (user_id, login_at, user_agent) on public.user_sessions to authenticated;
grant select, insert, update, delete on public.user_sessions to service_role;

create policy "people record their own sign-ins" on public.user_sessions
  for insert to authenticated with check (user_id = (select auth.uid()));
