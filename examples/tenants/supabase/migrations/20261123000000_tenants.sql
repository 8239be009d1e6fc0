-- Organisations, their members with roles, and projects that only members see.

create type public.member_role as enum ('member', 'admin', 'owner');

create table public.organisations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null default now()
);
comment on table public.organisations is 'Tenants. create_organisation makes one.';

create table public.members (
  organisation_id uuid not null references public.organisations on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  role public.member_role not null default 'member',
  primary key (organisation_id, user_id)
);
comment on table public.members is 'Who belongs to an organisation, and as what.';
create index members_user on public.members (user_id);

create table public.projects (
  id bigint generated always as identity primary key,
  organisation_id uuid not null references public.organisations on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null default now()
);
comment on table public.projects is 'What an organisation works on.';
create index projects_organisation on public.projects (organisation_id);

-- Policies ask here. As owner of the tables, or the policy of `members` would ask itself for ever.
create schema private;
grant usage on schema private to authenticated;
create function private.is_member(organisation uuid, at_least public.member_role default 'member')
returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from public.members
    where organisation_id = organisation and user_id = (select auth.uid()) and role >= at_least
  )
$$;
revoke all on function private.is_member from public;
grant execute on function private.is_member to authenticated;

alter table public.organisations enable row level security;
alter table public.members enable row level security;
alter table public.projects enable row level security;

create policy "Members see their organisation" on public.organisations
  for select to authenticated using (private.is_member(id));
create policy "Admins rename it" on public.organisations
  for update to authenticated using (private.is_member(id, 'admin'));
create policy "Owners delete it" on public.organisations
  for delete to authenticated using (private.is_member(id, 'owner'));

create policy "Members see each other" on public.members
  for select to authenticated using (private.is_member(organisation_id));
create policy "Admins remove members, and members themselves" on public.members
  for delete to authenticated using (
    role <> 'owner' and (user_id = (select auth.uid()) or private.is_member(organisation_id, 'admin'))
  );

create policy "Members see projects" on public.projects
  for select to authenticated using (private.is_member(organisation_id));
create policy "Members add projects" on public.projects
  for insert to authenticated with check (private.is_member(organisation_id));
create policy "Admins delete projects" on public.projects
  for delete to authenticated using (private.is_member(organisation_id, 'admin'));

revoke all on public.organisations, public.members, public.projects from anon, authenticated;
grant select, delete, update (name) on public.organisations to authenticated;
grant select, delete on public.members to authenticated;
grant select, delete, insert (organisation_id, name) on public.projects to authenticated;

create function public.create_organisation(name text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  made uuid;
begin
  if auth.uid() is null then
    raise exception 'Sign in first' using errcode = '42501';
  end if;
  insert into public.organisations (name) values (create_organisation.name) returning id into made;
  insert into public.members values (made, auth.uid(), 'owner');
  return made;
end
$$;
comment on function public.create_organisation is 'A new organisation, with the caller as its owner. Its id.';

create function public.add_member(organisation uuid, email text, role public.member_role default 'member') returns void
language plpgsql security definer set search_path = ''
as $$
declare
  found uuid;
begin
  if not private.is_member(organisation, 'admin') or role = 'owner' then
    raise exception 'Only admins add members, and none as owner' using errcode = '42501';
  end if;
  select id into found from auth.users where users.email = lower(add_member.email);
  if found is null then
    raise exception 'No account has the address %', add_member.email using errcode = 'P0002';
  end if;
  insert into public.members values (organisation, found, add_member.role)
  on conflict (organisation_id, user_id) do update set role = excluded.role where members.role <> 'owner';
end
$$;
comment on function public.add_member is 'Takes the account with this address into the organisation. For its admins.';

revoke all on function public.create_organisation, public.add_member from public, anon;
grant execute on function public.create_organisation, public.add_member to authenticated;
