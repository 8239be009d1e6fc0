create table public.teams (
  id integer primary key,
  name text not null
);
alter table public.teams enable row level security;
create policy "teams are public" on public.teams for select using (true);
