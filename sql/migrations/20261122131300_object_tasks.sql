-- What the sweep does with objects of Storage: removes those of designs that are gone, shows the thumbnails of those that
-- are published.

create table private.object_tasks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('remove', 'publish')),
  bucket text not null,
  name text not null,
  source text check ((kind = 'publish') = (source is not null)),
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  attempts integer not null default 0,
  last_error text
);
comment on table private.object_tasks is
  'Objects that the sweep removes, or copies from `source` in the bucket designs, through the Storage API: SQL cannot '
  'delete bytes. Written in the transaction that makes them necessary, gone when done. No role of the API reads it.';
create index object_tasks_due_at_idx on private.object_tasks (due_at);
create index object_tasks_name_idx on private.object_tasks (name);
alter table private.object_tasks enable row level security;

create function private.on_design_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- again ten minutes later, and where the row itself held the picture: it may just be being moved
  insert into private.object_tasks (kind, bucket, name, due_at)
  select 'remove', 'designs', old.user_id::text || '/' || old.id::text || '/' || file, now() + pause
  from unnest(array['picture.png', 'thumbnail.jpg']) as file,
    unnest(array[interval '0', interval '10 minutes']) as pause;
  return null;
end;
$$;
revoke all on function private.on_design_deleted() from public;
-- by a cascade from the account as well
create trigger on_design_deleted after delete on public.designs
  for each row when (old.image_url is not null or old.image_data is not null)
  execute function private.on_design_deleted();

create function private.on_design_published() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- a little later: the browser that publishes copies at once
  insert into private.object_tasks (kind, bucket, name, source, due_at)
  select 'publish', 'design-thumbnails', new.id::text || '.jpg', d.thumbnail_url, now() + interval '10 seconds'
  from public.designs d where d.id = new.design_id and d.thumbnail_url is not null;
  return null;
end;
$$;
revoke all on function private.on_design_published() from public;
create trigger on_design_published after insert on public.public_designs
  for each row execute function private.on_design_published();

create function private.on_thumbnail_moved() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.object_tasks (kind, bucket, name, source)
  select 'publish', 'design-thumbnails', p.id::text || '.jpg', new.thumbnail_url
  from public.public_designs p where p.design_id = new.id;
  return null;
end;
$$;
revoke all on function private.on_thumbnail_moved() from public;
create trigger on_thumbnail_moved after update of thumbnail_url on public.designs
  for each row when (old.thumbnail_url is null and new.thumbnail_url is not null)
  execute function private.on_thumbnail_moved();

create function private.on_design_taken_back() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.object_tasks t where t.name = old.id::text || '.jpg' and t.kind = 'publish' and t.leased_until is null;
  -- again ten minutes later: a copy that was under way may arrive after the first
  insert into private.object_tasks (kind, bucket, name, due_at)
  select 'remove', 'design-thumbnails', old.id::text || '.jpg', now() + pause
  from unnest(array[interval '0', interval '10 minutes']) as pause;
  return null;
end;
$$;
revoke all on function private.on_design_taken_back() from public;
create trigger on_design_taken_back after delete on public.public_designs
  for each row execute function private.on_design_taken_back();

create type public.object_task as (id bigint, kind text, bucket text, name text, source text);

create function public.claim_object_tasks(lease_seconds integer, most integer) returns setof public.object_task
language sql security definer set search_path = '' as $$
  with expired as (
    delete from public.design_uploads u where u.id in (
      select e.id from public.design_uploads e where e.created_at < now() - interval '2 days'
      order by e.created_at limit claim_object_tasks.most for update skip locked
    ) returning u.user_id, u.id
  )
  insert into private.object_tasks (kind, bucket, name)
  select 'remove', 'designs', e.user_id::text || '/' || e.id::text || '/' || part
  from expired e, unnest(array['picture.png', 'thumbnail.jpg']) as part;
  update private.object_tasks t
  set attempts = t.attempts + 1, leased_until = now() + make_interval(secs => lease_seconds)
  where t.id in (
    select d.id from private.object_tasks d
    where d.due_at <= now() and (d.leased_until is null or d.leased_until < now())
    order by d.due_at limit claim_object_tasks.most for update skip locked
  )
  returning t.id, t.kind, t.bucket, t.name, t.source;
$$;
comment on function public.claim_object_tasks(integer, integer) is
  'Due tasks on objects, leased to the caller, among them the removal of uploads that were never saved.';

create function public.finish_object_tasks(tasks bigint[]) returns void
language sql security definer set search_path = '' as $$
  with done as (delete from private.object_tasks t where t.id = any (finish_object_tasks.tasks) returning t.kind, t.name)
  insert into private.object_tasks (kind, bucket, name)
  -- taken back while it was being copied
  select 'remove', 'design-thumbnails', d.name from done d
  where d.kind = 'publish'
    and not exists (select 1 from public.public_designs p where p.id = left(d.name, 36)::uuid);
$$;
comment on function public.finish_object_tasks(bigint[]) is 'They were done.';

create function public.fail_object_tasks(tasks bigint[], problem text) returns void
language sql security definer set search_path = '' as $$
  update private.object_tasks t
  set leased_until = null, last_error = left(problem, 1000), due_at = now() + private.backoff(t.attempts)
  where t.id = any (fail_object_tasks.tasks);
$$;
comment on function public.fail_object_tasks(bigint[], text) is 'Tried again later, at last once an hour.';

revoke all on function public.claim_object_tasks(integer, integer), public.finish_object_tasks(bigint[]),
  public.fail_object_tasks(bigint[], text) from public;
grant execute on function public.claim_object_tasks(integer, integer), public.finish_object_tasks(bigint[]),
  public.fail_object_tasks(bigint[], text) to service_role;
