-- Rooms with members: a private channel `room:<name>` is for its members, and only its owner sends.
create table public.room_members (
  room text not null,
  user_id uuid not null,
  is_owner boolean not null default false,
  primary key (room, user_id)
);
alter table public.room_members enable row level security;
create policy "members see themselves" on public.room_members
  for select to authenticated using (user_id = (select auth.uid()));

create policy "members read" on realtime.messages
  for select to authenticated
  using (
    exists (
      select from public.room_members
      where user_id = (select auth.uid()) and 'room:' || room = (select realtime.topic())
    )
  );
create policy "owners send" on realtime.messages
  for insert to authenticated
  with check (
    exists (
      select from public.room_members
      where user_id = (select auth.uid()) and is_owner and 'room:' || room = (select realtime.topic())
    )
  );
-- A policy that fails opens nothing.
create policy "broken" on realtime.messages
  for select to authenticated
  using (case when (select realtime.topic()) = 'broken' then 1 / (length((select realtime.topic())) - 6) = 1 end);

create table public.notes (
  id bigint generated always as identity primary key,
  author uuid,
  body text
);
alter table public.notes enable row level security;
grant select, insert, update, delete on public.notes to anon, authenticated, service_role;
create policy "authors see their notes" on public.notes
  for select to authenticated using (author = (select auth.uid()));
alter publication supabase_realtime add table public.notes;

create table public.news (id bigint generated always as identity primary key, title text);
grant select on public.news to anon, authenticated, service_role;
alter publication supabase_realtime add table public.news;

-- For a client that has the service's key.
create function public.send_to_room(room text, event text, number integer) returns void language sql as $$
  select realtime.send(jsonb_build_object('number', number), event, 'room:' || room)
$$;
