-- Everybody keeps files in a folder named after the own id.
create policy "own folder: read" on storage.objects for select to authenticated
  using (bucket_id = 'private' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "own folder: write" on storage.objects for insert to authenticated
  with check (bucket_id = 'private' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "own folder: replace" on storage.objects for update to authenticated
  using (bucket_id = 'private' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "own folder: remove" on storage.objects for delete to authenticated
  using (bucket_id = 'private' and (storage.foldername(name))[1] = (select auth.uid())::text);

create table public.sign_ups (id uuid primary key references auth.users (id) on delete cascade, email text);
alter table public.sign_ups enable row level security;
create function public.note_sign_up() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.sign_ups values (new.id, new.email);
  return new;
end $$;
create trigger note_sign_up after insert on auth.users for each row execute function public.note_sign_up();
