create table public.sent (address text, kind text, signed boolean);
alter table public.sent enable row level security;
insert into public.sent values ('first@example.com', 'signup', false);
