-- What an operator watches: work that is due, how long it has been, what was given up, what waits for a person. Cheap at any
-- size of the shop: each figure comes from an index of the few rows that it is about.

create index order_jobs_gave_up_idx on public.order_jobs (kind) where gave_up_at is not null and done_at is null;
create index order_messages_gave_up_idx on public.order_messages (channel) where gave_up_at is not null and sent_at is null;
create index order_flags_open_reason_idx on public.order_flags (reason) where resolved_at is null;

create function public.get_job_figures() returns jsonb
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
      ('object_tasks', 'remove'), ('object_tasks', 'publish'), ('design_jobs', 'text_picture'),
      ('design_jobs', 'photo_picture'), ('design_jobs', 'print_product')
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
comment on function public.get_job_figures() is
  'For the metrics and for production-check: of each kind of work how much is due (of each queue the oldest 2,000), since when the oldest, and how much was given '
  'up; open flags by reason; seconds since the last sweep, null before the first.';

revoke all on function public.get_job_figures() from public;
grant execute on function public.get_job_figures() to service_role;
