-- Claiming jobs and messages: under a lease, by several processes at once, each row by one of them. Every change
-- is on disk before it is returned (synchronous_commit): a lease that is forgotten would have its message sent twice.

create function private.backoff(attempts integer) returns interval
language sql immutable set search_path = '' as $$
  -- 5 s, 10 s, 20 s … one hour
  select least(interval '1 hour', interval '5 seconds' * power(2, least(greatest(attempts - 1, 0), 12)));
$$;
comment on function private.backoff(integer) is 'How long a job or message waits after its n-th failure.';

create function public.claim_job(lease_seconds integer, of_order uuid default null, job_kind text default null)
returns setof public.order_jobs
language plpgsql security definer set search_path = '' as $$
declare
  claimed public.order_jobs;
begin
  perform set_config('synchronous_commit', 'on', true);
  if claim_job.of_order is null then
    select d.* into claimed from public.order_jobs d
    where d.done_at is null and d.gave_up_at is null and (d.leased_until is null or d.leased_until < now())
      and d.due_at <= now()
    order by d.due_at limit 1 for update skip locked;
  else
    -- a named job is claimed before its time: a caller waits for it
    select d.* into claimed from public.order_jobs d
    where d.done_at is null and d.gave_up_at is null and (d.leased_until is null or d.leased_until < now())
      and d.order_id = claim_job.of_order and d.kind = claim_job.job_kind
    for update skip locked;
  end if;
  return query
    update public.order_jobs j
    set attempts = j.attempts + 1, leased_until = now() + make_interval(secs => lease_seconds)
    where j.order_id = claimed.order_id and j.kind = claimed.kind
    returning j.*;
end;
$$;
comment on function public.claim_job(integer, uuid, text) is
  'One due job (or the one that is named), leased to the caller; nothing when there is none. A lease that runs out frees it.';

create function public.finish_job(of_order uuid, job_kind text, again_seconds integer default null) returns void
language sql security definer set search_path = '' as $$
  select set_config('synchronous_commit', 'on', true);
  update public.order_jobs j set
    leased_until = null,
    last_error = null,
    attempts = case when again_seconds is null then j.attempts else 0 end,
    due_at = case when again_seconds is null then j.due_at else now() + make_interval(secs => again_seconds) end,
    done_at = case when again_seconds is null then now() end
  where j.order_id = of_order and j.kind = job_kind and j.done_at is null;
$$;
comment on function public.finish_job(uuid, text, integer) is 'Done; or, with again_seconds, well so far and to be looked at again then.';

create function public.fail_job(of_order uuid, job_kind text, problem text, most_attempts integer) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  gives_up boolean;
begin
  perform set_config('synchronous_commit', 'on', true);
  update public.order_jobs j set
    leased_until = null,
    last_error = left(problem, 1000),
    due_at = now() + private.backoff(j.attempts),
    gave_up_at = case when j.attempts >= most_attempts then now() end
  where j.order_id = of_order and j.kind = job_kind and j.done_at is null
  returning j.gave_up_at is not null into gives_up;
  if gives_up then
    perform private.raise_flag(of_order, job_kind || '_failed', left(problem, 1000));
  end if;
  return coalesce(gives_up, false);
end;
$$;
comment on function public.fail_job(uuid, text, text, integer) is
  'Failed: tried again later, and given up loudly after most_attempts. Returns whether it gave up.';

create function public.claim_message(lease_seconds integer, of_order uuid default null, message_kind text default null)
returns setof public.order_messages
language plpgsql security definer set search_path = '' as $$
declare
  claimed uuid;
begin
  perform set_config('synchronous_commit', 'on', true);
  if claim_message.of_order is null then
    select d.id into claimed from public.order_messages d
    where d.sent_at is null and d.gave_up_at is null and (d.leased_until is null or d.leased_until < now())
      and d.due_at <= now()
    order by d.due_at limit 1 for update skip locked;
  else
    select d.id into claimed from public.order_messages d
    where d.sent_at is null and d.gave_up_at is null and (d.leased_until is null or d.leased_until < now())
      and d.order_id = claim_message.of_order and d.kind = claim_message.message_kind
    limit 1 for update skip locked;
  end if;
  return query
    update public.order_messages m
    set attempts = m.attempts + 1, leased_until = now() + make_interval(secs => lease_seconds)
    where m.id = claimed
    returning m.*;
end;
$$;
comment on function public.claim_message(integer, uuid, text) is
  'One due message (or the order''s one of that kind), leased to the caller; nothing when it was sent or is being sent.';

create function public.finish_message(message uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  sent public.order_messages;
begin
  perform set_config('synchronous_commit', 'on', true);
  update public.order_messages m set sent_at = now(), leased_until = null, last_error = null
  where m.id = message and m.sent_at is null
  returning m.* into sent;
  if sent.kind = 'confirmation' then
    update public.orders o set confirmation_sent_at = now() where o.id = sent.order_id;
  end if;
end;
$$;
comment on function public.finish_message(uuid) is 'It was sent.';

create function public.fail_message(message uuid, problem text, most_attempts integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  failed public.order_messages;
begin
  perform set_config('synchronous_commit', 'on', true);
  update public.order_messages m set
    leased_until = null,
    last_error = left(problem, 1000),
    due_at = now() + private.backoff(m.attempts),
    gave_up_at = case when m.attempts >= most_attempts then now() end
  where m.id = message and m.sent_at is null
  returning m.* into failed;
  -- not about a notice to the admin: that would be a notice about notices, without end
  if failed.gave_up_at is not null and failed.kind not like 'notice\_%' then
    perform private.raise_flag(failed.order_id, 'message_failed', failed.channel || ' ' || failed.kind || ': ' || problem);
  end if;
end;
$$;
comment on function public.fail_message(uuid, text, integer) is 'Tried again later, and given up loudly after most_attempts.';

-- The sweep's last run, so that an owner's check sees whether the scheduler works.

create table private.sweep_runs (
  only_row boolean primary key default true check (only_row),
  finished_at timestamptz not null,
  figures jsonb not null
);
comment on table private.sweep_runs is
  'One row: when the last sweep ended, and its figures. Not granted to any API role: record_sweep and get_last_sweep are '
  'the way in.';
alter table private.sweep_runs enable row level security;

create function public.record_sweep(figures jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into private.sweep_runs as r (finished_at, figures) values (now(), record_sweep.figures)
  on conflict (only_row) do update set finished_at = excluded.finished_at, figures = excluded.figures;
$$;
comment on function public.record_sweep(jsonb) is 'A sweep has ended.';

create function public.get_last_sweep() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'finished_at', r.finished_at, 'seconds_ago', extract(epoch from now() - r.finished_at), 'figures', r.figures
  ) from private.sweep_runs r;
$$;
comment on function public.get_last_sweep() is 'When the last sweep ended, by the database''s clock; null before the first.';

create function public.retry_order(of_order uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins may take an order up again.' using errcode = '42501';
  end if;
  with jobs as (
    update public.order_jobs j set gave_up_at = null, attempts = 0, due_at = now()
    where j.order_id = of_order and j.gave_up_at is not null
    returning case when j.done_at is null then j.kind || '_failed' end as reason
  ), messages as (
    update public.order_messages m set gave_up_at = null, attempts = 0, due_at = now()
    where m.order_id = of_order and m.gave_up_at is not null
    returning 'message_failed' as reason
  )
  update public.order_flags f set resolved_at = now()
  where f.order_id = of_order and f.resolved_at is null
    and f.reason in (select reason from jobs union select reason from messages);
  perform private.add_event(of_order, 'taken_up_again', '{}', (select auth.uid()));
end;
$$;
comment on function public.retry_order(uuid) is
  'For admins, once the cause is mended: what was given up is due again, and its flags are resolved. Others stay open.';

revoke all on function private.backoff(integer), public.claim_job(integer, uuid, text),
  public.finish_job(uuid, text, integer), public.fail_job(uuid, text, text, integer),
  public.claim_message(integer, uuid, text), public.finish_message(uuid), public.fail_message(uuid, text, integer),
  public.record_sweep(jsonb), public.get_last_sweep(), public.retry_order(uuid) from public;
grant execute on function public.claim_job(integer, uuid, text), public.finish_job(uuid, text, integer),
  public.fail_job(uuid, text, text, integer), public.claim_message(integer, uuid, text),
  public.finish_message(uuid), public.fail_message(uuid, text, integer),
  public.record_sweep(jsonb), public.get_last_sweep() to service_role;
grant execute on function public.retry_order(uuid) to authenticated;
