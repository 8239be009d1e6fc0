create type public.mood as enum ('calm', 'busy');
create table public.authors (id int primary key, name text not null);
create table public.notes (
  id int generated always as identity primary key,
  author int references public.authors,
  owner uuid references auth.users on delete cascade,
  title text not null,
  mood public.mood not null default 'calm',
  published boolean not null default false,
  data jsonb
);
comment on table public.notes is 'Notes of users.';
alter table public.notes enable row level security;
create policy "published notes" on public.notes for select using (published);
create policy "notes of their owner" on public.notes to authenticated using (owner = (select auth.uid()));
create policy "no notes by the banned" on public.notes as restrictive for select
  using (author is null or author in (select id from public.authors));
create view public.titles as select title from public.notes;
create schema private;
create table private.secrets (id int primary key, "Odd ""name" text);
insert into private.secrets values (1, 'x');
insert into public.authors values (1, 'Ada'), (2, 'Ben');
alter table public.authors enable row level security;
create policy "authors called Ada" on public.authors for select using (name = 'Ada');
insert into public.notes (author, title, published) values (1, 'first', true), (2, 'second', true), (null, 'third', false);
