-- `folders`: each user's files lie in a folder named after the user's id.
create policy "folders: read" on storage.objects for select to authenticated
  using (bucket_id = 'folders' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "folders: write" on storage.objects for insert to authenticated
  with check (bucket_id = 'folders' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "folders: replace" on storage.objects for update to authenticated
  using (bucket_id = 'folders' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "folders: remove" on storage.objects for delete to authenticated
  using (bucket_id = 'folders' and (storage.foldername(name))[1] = (select auth.uid())::text);

-- `inbox`: all may hand in small texts, and read nothing.
create policy "inbox: hand in" on storage.objects for insert to anon, authenticated
  with check (
    bucket_id = 'inbox' and metadata ->> 'mimetype' = 'text/plain'
    and coalesce((metadata ->> 'contentLength')::bigint, 0) < 100
  );

-- `pictures`: users add, by an upload and by no other operation, and see what there is.
create policy "pictures: read" on storage.objects for select to authenticated using (bucket_id = 'pictures');
create policy "pictures: upload" on storage.objects for insert to authenticated
  with check (bucket_id = 'pictures' and storage.allow_only_operation('object.upload'));

-- The bucket itself may be seen by users who are not anonymous.
create policy "folders: bucket" on storage.buckets for select to authenticated using (id = 'folders');
