-- The gallery: which designs are public, and who likes them.

create table public.public_designs (
  id uuid primary key default gen_random_uuid(),
  design_id uuid not null unique references public.designs (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table public.public_designs is
  'A row means that the design is public, since created_at. Deliberately not granted: update (publish again instead) '
  'and choosing the publish time.';

-- the gallery, newest first
create index public_designs_created_at_idx on public.public_designs (created_at desc, id);
-- "has this person published anything?" (whose names may be read), and the key's other side
create index public_designs_user_id_idx on public.public_designs (user_id);

create function private.owns_design(design uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from public.designs d where d.id = owns_design.design and d.user_id = (select auth.uid()));
$$;
revoke all on function private.owns_design(uuid) from public;
grant execute on function private.owns_design(uuid) to authenticated;

alter table public.public_designs enable row level security;
grant select on public.public_designs to anon, authenticated;
grant insert (design_id, user_id) on public.public_designs to authenticated;
grant delete on public.public_designs to authenticated;
grant select, insert, update, delete on public.public_designs to service_role;

create policy "everybody sees what is public" on public.public_designs
  for select to anon, authenticated using (true);
create policy "owners with a public name publish" on public.public_designs
  for insert to authenticated
  with check (user_id = (select auth.uid()) and private.owns_design(design_id) and (select private.has_public_name()));
create policy "owners take back" on public.public_designs
  for delete to authenticated using (user_id = (select auth.uid()));

create policy "everybody reads public designs" on public.designs
  for select to anon, authenticated
  using (exists (select 1 from public.public_designs p where p.design_id = designs.id));

create table public.design_likes (
  id uuid primary key default gen_random_uuid(),
  design_id uuid not null references public.designs (id) on delete cascade,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (design_id, user_id)
);
comment on table public.design_likes is
  'Who likes which public design. Anonymous visitors count rows but are deliberately not granted user_id; signed-in '
  'people are, because they ask for their own likes by it, so among signed-in people a like is a public act '
  '(the id leads to a name only for those who publish).';
create index design_likes_user_id_idx on public.design_likes (user_id);

alter table public.design_likes enable row level security;
grant select (id, design_id, created_at) on public.design_likes to anon;
grant select on public.design_likes to authenticated;
grant insert (design_id, user_id) on public.design_likes to authenticated;
grant delete on public.design_likes to authenticated;
grant select, insert, update, delete on public.design_likes to service_role;

create policy "everybody counts likes of public designs" on public.design_likes
  for select to anon, authenticated
  using (exists (select 1 from public.public_designs p where p.design_id = design_likes.design_id));
create policy "people see their own likes" on public.design_likes
  for select to authenticated using (user_id = (select auth.uid()));
create policy "people like public designs" on public.design_likes
  for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select 1 from public.public_designs p where p.design_id = design_likes.design_id)
  );
create policy "people unlike" on public.design_likes
  for delete to authenticated using (user_id = (select auth.uid()));
