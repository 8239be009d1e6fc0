-- Print files of designs that nobody has ordered: the sweep removes them after a while, and an order makes the file anew.
--
-- A print file is `<design id>.png` in the bucket print-files, made with the print product (ADR 9). The printer has fetched it by then,
-- so no order waits for it: the shop's copy is there for reprints and disputes. Copies of a design share its print product, and so
-- the file. What is made anew is called `<design id>-2.png`: a removal that comes late never meets it.

-- who has ordered this product?
create index order_items_printify_product_id_idx on public.order_items (printify_product_id);
-- which designs share it?
create index designs_printify_product_id_idx on public.designs (printify_product_id) where printify_product_id is not null;

create table private.removed_print_files (
  product_id text primary key,
  removed_at timestamptz not null default now()
);
comment on table private.removed_print_files is
  'Print products whose print file was removed while nobody had ordered them. The first order that goes to print ends the row and has '
  'the file made anew. No role of the API reads it.';
alter table private.removed_print_files enable row level security;

create table private.print_file_walk (
  is_only boolean primary key default true check (is_only),
  after_name text not null default '',
  due_at timestamptz not null default now()
);
comment on table private.print_file_walk is
  'How far the sweep has come in looking at the bucket''s objects, some with each run; after the last one it starts again an hour later. '
  'No role of the API reads it.';
insert into private.print_file_walk default values;
alter table private.print_file_walk enable row level security;

alter table private.object_tasks drop constraint object_tasks_kind_check;
alter table private.object_tasks add constraint object_tasks_kind_check check (kind in ('remove', 'publish', 'make'));
comment on table private.object_tasks is
  'Objects that the sweep removes, or copies from `source` in the bucket designs, through the Storage API: SQL cannot '
  'delete bytes. `make` is a print file that is made anew. Written in the transaction that makes them necessary, gone when done. '
  'No role of the API reads it.';

create function private.print_file_lock(product text) returns bigint
language sql immutable set search_path = '' as $$
  select hashtextextended('print file ' || product, 0);
$$;
comment on function private.print_file_lock(text) is
  'The advisory lock of one product''s print file: whoever removes the file and an order that goes to print take turns.';
revoke all on function private.print_file_lock(text) from public;

create function private.is_print_file_needed(product text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.order_items i join public.orders o on o.id = i.order_id
    where i.printify_product_id = product and (o.status <> 'cancelled' or o.paid_at is not null)
  );
$$;
comment on function private.is_print_file_needed(text) is
  'Whether this print product was ever ordered, by the design''s owner or by way of a copy, or stands in an order that is not paid yet. '
  'An order that was given up unpaid is none.';
revoke all on function private.is_print_file_needed(text) from public;

-- Removing -----------------------------------------------------------------------------------------------------------------

create function public.retire_print_files(after_days integer, most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  walk private.print_file_walk;
  file record;
  seen integer := 0;
  retired integer := 0;
begin
  if to_regclass('storage.objects') is null then
    return 0;
  end if;
  select w.* into walk from private.print_file_walk w where w.due_at <= now() for update skip locked;
  if not found then
    return 0;
  end if;
  for file in
    select o.name, o.stored_at, coalesce(v.printify_product_id, d.printify_product_id) as product,
      v.id is not null as is_scene, d.image_url, d.image_data is not null as holds_picture
    from (
      select o.name, coalesce(o.updated_at, o.created_at) as stored_at from storage.objects o
      where o.bucket_id = 'print-files' and o.name > walk.after_name order by o.name limit most
    ) o
    left join public.designs d
      on d.id = case when o.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.png$' then left(o.name, 36)::uuid end
    -- that of a scene, or the one from before the design was first adjusted (…_scenes.sql)
    left join public.design_versions v
      on v.id = case when o.name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-(front|back)\.png$' then left(o.name, 36)::uuid end
      or v.design_id = d.id and v.print_files = array[o.name]
    order by o.name
  loop
    seen := seen + 1;
    walk.after_name := file.name;
    -- Without a product it is being made, or the attempt is repeated; a file of today may be on its way to the printer.
    continue when file.product is null or file.stored_at > now() - make_interval(days => greatest(after_days, 1));
    -- Only what can be made again.
    continue when not file.is_scene and not file.holds_picture
      and not exists (select from storage.objects p where p.bucket_id = 'designs' and p.name = file.image_url);
    -- The lock first, then the look: an order that goes to print afterwards waits, and finds the file removed.
    continue when not pg_try_advisory_xact_lock(private.print_file_lock(file.product));
    continue when private.is_print_file_needed(file.product);
    insert into private.removed_print_files (product_id) values (file.product) on conflict do nothing;
    insert into private.object_tasks (kind, bucket, name) values ('remove', 'print-files', file.name);
    retired := retired + 1;
  end loop;
  update private.print_file_walk set
    after_name = case when seen < most then '' else walk.after_name end,
    due_at = case when seen < most then now() + interval '1 hour' else now() end
  where true;
  return retired;
end;
$$;
comment on function public.retire_print_files(integer, integer) is
  'Looks at the next print files and has those removed that are older than so many days and that nobody has ordered; their number.';
revoke all on function public.retire_print_files(integer, integer) from public;
grant execute on function public.retire_print_files(integer, integer) to service_role;

-- Before, because orders forget the design as it is deleted.
create or replace function private.on_design_deleting() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_shared boolean := exists (
    select from public.designs d where d.printify_product_id = old.printify_product_id and d.id <> old.id
  );
begin
  if is_shared then
    perform pg_advisory_xact_lock(private.print_file_lock(old.printify_product_id));
  end if;
  -- A print file stays for the reprints and disputes of what was ordered; where nothing was, it goes with the design.
  -- The files of versions go with these (…_scene_versions.sql).
  if not exists (select from public.design_versions v where v.design_id = old.id) and (
    old.printify_product_id is not null
    or exists (select from public.design_jobs j where j.design_id = old.id and j.kind = 'print_product')
  ) and not private.is_print_file_needed(old.printify_product_id) then
    insert into private.object_tasks (kind, bucket, name, due_at)
    select 'remove', 'print-files', old.id::text || ending, now() + pause
    from unnest(array['.png', '-2.png']) as ending, unnest(array[interval '0', interval '10 minutes']) as pause;
    -- a copy may be ordered yet
    if is_shared then
      insert into private.removed_print_files (product_id) values (old.printify_product_id) on conflict do nothing;
    end if;
  end if;
  if not is_shared then
    delete from private.removed_print_files f where f.product_id = old.printify_product_id;
  end if;
  return old;
end;
$$;

-- Making anew --------------------------------------------------------------------------------------------------------------

create function private.on_print_requested() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  item record;
begin
  for item in
    select i.printify_product_id as product, min(i.design_id::text) as design from public.order_items i
    where i.order_id = new.id group by i.printify_product_id order by i.printify_product_id
  loop
    -- waits for a removal that is just being decided
    perform pg_advisory_xact_lock(private.print_file_lock(item.product));
    delete from private.removed_print_files f where f.product_id = item.product;
    continue when not found;
    if exists (select from public.design_versions v where v.printify_product_id = item.product) then
      -- of copies alone nothing can be made
      insert into private.object_tasks (kind, bucket, name)
      select 'make', 'print-files', regexp_replace(f.name, '\.png$', '-2.png')
      from public.design_versions v, unnest(v.print_files) f (name) where v.printify_product_id = item.product;
    else
      -- of designs that are all deleted meanwhile nothing can be made; the printer has its own copy
      insert into private.object_tasks (kind, bucket, name)
      select 'make', 'print-files', made.design || '-2.png'
      from (select coalesce(item.design, (
        select min(d.id::text) from public.designs d where d.printify_product_id = item.product
      )) as design) made
      where made.design is not null;
    end if;
  end loop;
  return null;
end;
$$;
revoke all on function private.on_print_requested() from public;
create trigger on_print_requested after update of print_requested_at on public.orders
  for each row when (old.print_requested_at is null and new.print_requested_at is not null)
  execute function private.on_print_requested();

create or replace function public.claim_object_tasks(lease_seconds integer, most integer) returns setof public.object_task
language sql security definer set search_path = '' as $$
  with expired as (
    delete from public.design_uploads u where u.id in (
      select e.id from public.design_uploads e where e.created_at < now() - interval '2 days'
      order by e.created_at limit claim_object_tasks.most for update skip locked
    ) returning u.user_id, u.id
  )
  insert into private.object_tasks (kind, bucket, name)
  select 'remove', 'designs', e.user_id::text || '/' || e.id::text || '/' || part
  from expired e, unnest(array['picture.png', 'thumbnail.jpg', 'v1.png', 'v1.jpg', 'v1-back.png']) as part;
  update private.object_tasks t
  set attempts = t.attempts + 1, leased_until = now() + make_interval(secs => lease_seconds)
  where t.id in (
    select d.id from private.object_tasks d
    where d.due_at <= now() and (d.leased_until is null or d.leased_until < now()) and d.kind <> 'make'
    order by d.due_at limit claim_object_tasks.most for update skip locked
  )
  returning t.id, t.kind, t.bucket, t.name, t.source;
$$;

create function public.claim_print_file(lease_seconds integer) returns setof public.object_task
language sql security definer set search_path = '' as $$
  update private.object_tasks t
  set attempts = t.attempts + 1, leased_until = now() + make_interval(secs => lease_seconds)
  where t.id = (
    select d.id from private.object_tasks d
    where d.due_at <= now() and (d.leased_until is null or d.leased_until < now()) and d.kind = 'make'
    order by d.due_at limit 1 for update skip locked
  )
  returning t.id, t.kind, t.bucket, t.name, t.source;
$$;
comment on function public.claim_print_file(integer) is
  'A print file that is to be made anew, leased to the caller; ended by finish_object_tasks or fail_object_tasks.';
revoke all on function public.claim_print_file(integer) from public;
grant execute on function public.claim_print_file(integer) to service_role;

-- Figures: a print file that cannot be made is overdue, and an alert says so --------------------------------------------------

create or replace function public.get_job_figures() returns jsonb
language sql stable security definer set search_path = '' as $$
  -- Of each queue the oldest 2,000: after a day without a sweep a shop may have more, and the exact number helps no one.
  with due as (
    select 'order_jobs' as queue, o.kind, count(*) as due, min(o.due_at) as oldest
    from (
      select j.kind, j.due_at from public.order_jobs j
      where j.done_at is null and j.gave_up_at is null and j.due_at <= now() order by j.due_at limit 2000
    ) o group by o.kind
    union all
    select 'messages', o.channel, count(*), min(o.due_at)
    from (
      select m.channel, m.due_at from public.order_messages m
      where m.sent_at is null and m.gave_up_at is null and m.due_at <= now() order by m.due_at limit 2000
    ) o group by o.channel
    union all
    select 'object_tasks', o.kind, count(*), min(o.due_at)
    from (
      select t.kind, t.due_at from private.object_tasks t where t.due_at <= now() order by t.due_at limit 2000
    ) o group by o.kind
    union all
    -- a picture without a process; while one works on it, its lease is renewed
    select 'design_jobs', o.kind, count(*), min(o.leased_until)
    from (
      select d.kind, d.leased_until from public.design_jobs d
      where d.state = 'running' and d.leased_until < now() order by d.leased_until limit 2000
    ) o group by o.kind
  ), gave_up as (
    select 'order_jobs' as queue, j.kind, count(*) as gave_up
    from public.order_jobs j where j.gave_up_at is not null and j.done_at is null group by j.kind
    union all
    select 'messages', m.channel, count(*)
    from public.order_messages m where m.gave_up_at is not null and m.sent_at is null group by m.channel
  ), kinds (queue, kind) as (
    values ('order_jobs', 'settle'), ('order_jobs', 'print'), ('order_jobs', 'track'), ('order_jobs', 'cancel'),
      ('order_jobs', 'stop_print'), ('order_jobs', 'refund'), ('order_jobs', 'dispute'),
      ('messages', 'mail'), ('messages', 'automation'),
      ('object_tasks', 'remove'), ('object_tasks', 'publish'), ('object_tasks', 'make'),
      ('design_jobs', 'text_picture'), ('design_jobs', 'photo_picture'), ('design_jobs', 'print_product'),
      ('design_jobs', 'scene')
  )
  select jsonb_build_object(
    'queues', (
      select jsonb_agg(jsonb_build_object(
        'queue', k.queue, 'kind', k.kind, 'due', coalesce(d.due, 0),
        'oldest_seconds', coalesce(extract(epoch from now() - d.oldest), 0), 'gave_up', coalesce(g.gave_up, 0)
      ) order by k.queue, k.kind)
      from kinds k left join due d using (queue, kind) left join gave_up g using (queue, kind)
    ),
    'open_flags', (
      select coalesce(jsonb_object_agg(f.reason, f.flags), '{}')
      from (select o.reason, count(*) as flags from public.order_flags o where o.resolved_at is null group by o.reason) f
    ),
    'last_sweep_seconds', (select extract(epoch from now() - r.finished_at) from private.sweep_runs r)
  );
$$;
