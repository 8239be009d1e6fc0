-- Users: one row for each account, and the question "is the caller an admin?".
--
-- The API's `public.profiles` is a view of this table; it comes after the designs, because the right to see a name
-- depends on what is published.

create table private.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  username text check (length(username) <= 120),
  name text check (length(name) <= 120),
  is_admin boolean not null default false,
  public_name text check (public_name = btrim(public_name) and public_name <> '' and length(public_name) <= 60),
  created_at timestamptz not null default now(),
  names text not null generated always as (coalesce(name, '') || ' ' || coalesce(username, '')) stored,
  sort_name text not null generated always as (
    lower(coalesce(nullif(btrim(name), ''), nullif(btrim(username), ''), 'No name'))
  ) stored,
  constraint profiles_public_name_plain_text_check check (private.is_plain_text(public_name)),
  constraint profiles_public_name_visible_check check (private.is_visible_text(public_name)),
  -- these two are shown to admins
  constraint profiles_name_clean_check check (
    name = private.clean_text(name) and username = private.clean_text(username)
  )
);
comment on table private.profiles is
  'One row per account, made by a trigger on auth.users. Not granted to any API role: read and written as public.profiles.';
comment on column private.profiles.username is 'The name to use before there is a full name; the shipping form splits it at the space.';
comment on column private.profiles.public_name is 'The name under published designs; null is shown as Anonymous.';
comment on column private.profiles.names is 'What the admin''s search looks into.';
comment on column private.profiles.sort_name is 'What the admin''s list shows as the name, in small letters.';
comment on column private.profiles.is_admin is 'Opens the admin panel. A user cannot set the own flag (see private.write_profile).';

-- the admin's list of users: by age, by name, by "name contains"; and the few admins
create index profiles_created_at_idx on private.profiles (created_at desc, id);
create index profiles_sort_name_idx on private.profiles (sort_name, id);
create index profiles_names_pieces_idx on private.profiles using gin (private.name_pieces(names)) with (fastupdate = off);
create index profiles_admins_idx on private.profiles (created_at desc, id) where is_admin;

alter table private.profiles enable row level security;  -- and no policy: only the owner gets in

create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((select p.is_admin from private.profiles p where p.id = (select auth.uid())), false);
$$;
comment on function private.is_admin() is 'Whether the caller is an admin. Definer''s rights: no API role may read the table itself.';
revoke all on function private.is_admin() from public;
grant execute on function private.is_admin() to anon, authenticated, service_role;

create function private.has_public_name() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from private.profiles p where p.id = (select auth.uid()) and p.public_name is not null);
$$;
comment on function private.has_public_name() is 'Publishing needs a name to publish under.';
revoke all on function private.has_public_name() from public;
grant execute on function private.has_public_name() to authenticated;

create function private.sign_up_name(value text) returns text
language sql immutable set search_path = '' as $$
  select case when private.is_visible_text(cleaned) then left(cleaned, 120) end
  from (select btrim(private.clean_text(value)) as cleaned) c;
$$;
comment on function private.sign_up_name(text) is 'A name from sign-up data, fit for a profile; null when nothing of it is seen.';
revoke all on function private.sign_up_name(text) from public;

create function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sent jsonb := coalesce(new.raw_user_meta_data, '{}');
  full_name text := coalesce(private.sign_up_name(sent ->> 'full_name'), private.sign_up_name(sent ->> 'name'));
begin
  -- cut to the table's limits: what a sign-up form sends must never be the reason why a sign-up fails
  insert into private.profiles (id, username, name, created_at)
  values (
    new.id,
    coalesce(
      private.sign_up_name(sent ->> 'username'), full_name, private.sign_up_name(split_part(new.email, '@', 1))
    ),
    full_name,
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
select u.id, private.sign_up_name(split_part(u.email, '@', 1)) from auth.users u
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

create policy "users record their own sign-ins" on public.user_sessions
  for insert to authenticated with check (user_id = (select auth.uid()));
