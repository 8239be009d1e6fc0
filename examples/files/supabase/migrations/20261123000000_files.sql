-- A private bucket with a folder for each user, which is named by the user's id.

insert into storage.buckets (id, name, public, file_size_limit)
values ('files', 'files', false, 5 * 1024 * 1024);

create policy "Users see the files of their folder" on storage.objects
  for select to authenticated
  using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text));
create policy "Users add files to their folder" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text));
create policy "Users replace files of their folder" on storage.objects
  for update to authenticated
  using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text))
  with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text));
create policy "Users delete files of their folder" on storage.objects
  for delete to authenticated
  using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid()::text));
