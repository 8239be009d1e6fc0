create table public.profiles (
  id uuid not null references auth.users on delete cascade primary key,
  full_name text,
  avatar_url text
);
alter table public.profiles enable row level security;
create policy "Users can see their own profile." on public.profiles for select using ((select auth.uid()) = id);
create function public.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, full_name) values (new.id, new.raw_user_meta_data ->> 'full_name');
  return new;
end;
$$;
create trigger on_auth_user_created after insert on auth.users
  for each row execute procedure public.handle_new_user();
insert into storage.buckets (id, name) values ('avatars', 'avatars');
create policy "Anyone can upload an avatar." on storage.objects for insert with check (bucket_id = 'avatars');
alter publication supabase_realtime add table stock.items;
