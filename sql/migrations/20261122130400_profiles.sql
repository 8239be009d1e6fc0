-- Profiles as the API shows them.
--
-- Two calls have to work on one name: a user reads the own whole row (id, username, name, is_admin, public_name), and
-- visitors read (id, public_name) of the users behind public designs. Column grants hold for every row alike and
-- row policies for every column alike, so a plain table would show any signed-in person the real names and admin flags
-- of everyone who publishes. Hence a view, with its owner's rights on purpose (no security_invoker), that decides both:
--   rows     own; all for admins and trusted roles; else only of people who have published under a public name
--   columns  id and public_name for every row that is seen; the rest null unless the row is one's own or one is admin
-- What leaks: that an id belongs to a publisher, and the name they chose to publish under. Nothing else.

create view public.profiles with (security_barrier = true) as
select
  p.id,
  case when p.id = (select auth.uid()) or (select current_user not in ('anon', 'authenticated') or private.is_admin())
    then p.username end as username,
  case when p.id = (select auth.uid()) or (select current_user not in ('anon', 'authenticated') or private.is_admin())
    then p.name end as name,
  case when p.id = (select auth.uid()) or (select current_user not in ('anon', 'authenticated') or private.is_admin())
    then p.is_admin end as is_admin,
  p.public_name,
  case when p.id = (select auth.uid()) or (select current_user not in ('anon', 'authenticated') or private.is_admin())
    then p.created_at end as created_at
from private.profiles p
where p.id = (select auth.uid())
  or (select current_user not in ('anon', 'authenticated') or private.is_admin())
  or (p.public_name is not null and private.has_published(p.id));
comment on view public.profiles is
  'Users: the own row whole, publishers'' public names for all, everything for admins. Deliberately not '
  'granted: insert (a trigger on auth.users makes the row), delete, and changing id or created_at.';

create function private.write_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- inside a definer's function current_user is the owner; the role setting still names the caller
  by_person boolean := current_setting('role') in ('anon', 'authenticated');
  own boolean := old.id is not distinct from (select auth.uid());
begin
  if by_person and not own and not private.is_admin() then
    return null;  -- a publisher's visible row: not theirs to change, as if a policy had filtered it
  end if;
  if by_person and new.is_admin is distinct from old.is_admin and (own or not private.is_admin()) then
    raise exception 'Only another admin can change an admin flag.' using errcode = '42501';
  end if;
  if by_person and not own
     and (new.username, new.name, new.public_name) is distinct from (old.username, old.name, old.public_name) then
    raise exception 'Admins change roles, not names.' using errcode = '42501';
  end if;
  new.public_name := nullif(btrim(new.public_name), '');
  -- only what was changed is written: a name saved at the same moment must not bring back a flag just taken away
  update private.profiles p set
    username = case when new.username is distinct from old.username then new.username else p.username end,
    name = case when new.name is distinct from old.name then new.name else p.name end,
    public_name = case when new.public_name is distinct from old.public_name then new.public_name else p.public_name end,
    is_admin = case when new.is_admin is distinct from old.is_admin then coalesce(new.is_admin, false) else p.is_admin end
  where p.id = old.id;
  return new;
end;
$$;
comment on function private.write_profile() is
  'Users change their own names, admins the is_admin of other users, no user the own is_admin.';
revoke all on function private.write_profile() from public;

create trigger write_profile instead of update on public.profiles
  for each row execute function private.write_profile();

grant select (id, public_name) on public.profiles to anon;
grant select on public.profiles to authenticated, service_role;
grant update (username, name, public_name, is_admin) on public.profiles to authenticated, service_role;

create function public.get_design_creator_public_name(creator_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select p.public_name from private.profiles p where p.id = creator_user_id;
$$;
comment on function public.get_design_creator_public_name(uuid) is
  'The public name of a design''s maker, null when they have none. For share links: their designs may be unpublished.';
revoke all on function public.get_design_creator_public_name(uuid) from public;
grant execute on function public.get_design_creator_public_name(uuid) to anon, authenticated, service_role;
