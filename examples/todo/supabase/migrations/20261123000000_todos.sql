-- A list of tasks. Everyone who is signed in, anonymously too, has their own.

create table public.todos (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users on delete cascade,
  title text not null check (char_length(title) between 1 and 200),
  done boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table public.todos is 'Tasks, each of one user.';
create index todos_owner on public.todos (owner, created_at);

alter table public.todos enable row level security;
create policy "Users see their own tasks" on public.todos
  for select to authenticated using (owner = (select auth.uid()));
create policy "Users add tasks of their own" on public.todos
  for insert to authenticated with check (owner = (select auth.uid()));
create policy "Users change their own tasks" on public.todos
  for update to authenticated using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
create policy "Users delete their own tasks" on public.todos
  for delete to authenticated using (owner = (select auth.uid()));

-- What a client may write: not whose a task is, and not when it came.
revoke all on public.todos from anon, authenticated;
grant select, delete on public.todos to authenticated;
grant insert (title), update (title, done) on public.todos to authenticated;

-- Changes are sent to the clients that may see the row.
alter publication supabase_realtime add table public.todos;
