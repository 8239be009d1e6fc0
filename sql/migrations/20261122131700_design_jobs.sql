-- Pictures and print products that are being made. A function writes down what it is about to do, does it under a lease and
-- writes down what a vendor has begun, so that any other process can go on after a crash without paying for a step twice.

create table public.design_jobs (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('text_picture', 'photo_picture', 'print_product')),
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  design_id uuid references public.designs (id) on delete cascade check ((kind = 'print_product') = (design_id is not null)),
  request jsonb not null check (octet_length(request::text) < 20000),
  seed integer not null,
  steps jsonb not null default '{}',
  usage_event uuid,
  attempts integer not null default 1,
  lease uuid default gen_random_uuid(),
  leased_until timestamptz not null,
  result jsonb,
  result_path text check (result_path = user_id::text || '/' || id::text || '/result.png'),
  error text,
  error_code text,
  error_status integer,
  problem text,
  created_at timestamptz not null default now(),
  finished_at timestamptz check ((finished_at is null) = (state = 'running'))
);
comment on table public.design_jobs is
  'A picture or print product that is being made, or was made within a day. The client chooses the id: the same id again joins '
  'the job. Users see what their page shows of their own rows; writing goes through the functions below alone. Rows and their '
  'objects in the bucket design-jobs end after a day, for a page that is reloaded the next morning; what was saved is a copy.';
comment on column public.design_jobs.request is 'As it was validated; never the photo, which lies in Storage until the job ends.';
comment on column public.design_jobs.steps is
  'What was begun at the vendors, by step: addresses of uploads, ids of predictions and products. Written before anything waits.';
comment on column public.design_jobs.usage_event is 'The reservation in private.usage_events, which ends with the job.';
comment on column public.design_jobs.lease is
  'Names the process that works on it. A process that lost its lease can write nothing any more.';
comment on column public.design_jobs.problem is 'For the log of the shop; never shown.';

create index design_jobs_user_id_idx on public.design_jobs (user_id, created_at desc);
create index design_jobs_design_id_idx on public.design_jobs (design_id, created_at desc);
create index design_jobs_created_at_idx on public.design_jobs (created_at);
create index design_jobs_leased_until_idx on public.design_jobs (leased_until) where state = 'running';
create unique index design_jobs_one_product_idx on public.design_jobs (design_id)
  where state = 'running' and kind = 'print_product';

alter table public.design_jobs enable row level security;
-- Deliberately not granted: the seed, the steps, the lease and the problem.
grant select (
  id, user_id, kind, state, design_id, request, result, result_path, error, error_code, created_at, finished_at
) on public.design_jobs to authenticated;
create policy "users see their own jobs" on public.design_jobs
  for select to authenticated using (user_id = (select auth.uid()));

-- A plain Postgres has no Storage, so there is nothing to guard. Deliberately without a policy: writing, and photos.
do $$
begin
  if to_regclass('storage.objects') is null then
    return;
  end if;
  create policy "users read the results of their own jobs" on storage.objects
    for select to authenticated
    using (
      bucket_id = 'design-jobs' and split_part(name, '/', 1) = (select auth.uid())::text
      and split_part(name, '/', 3) = 'result.png'
    );
end;
$$;

-- Objects ----------------------------------------------------------------------------------------------------------------

create function private.on_design_job_ended() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.object_tasks (kind, bucket, name)
  values ('remove', 'design-jobs', new.user_id::text || '/' || new.id::text || '/photo');
  return null;
end;
$$;
revoke all on function private.on_design_job_ended() from public;
create trigger on_design_job_ended after update of state on public.design_jobs
  for each row when (new.kind = 'photo_picture' and old.state = 'running' and new.state <> 'running')
  execute function private.on_design_job_ended();

create function private.on_design_job_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- again ten minutes later: a process may just be storing one of them
  insert into private.object_tasks (kind, bucket, name, due_at)
  select 'remove', 'design-jobs', old.user_id::text || '/' || old.id::text || '/' || file, now() + pause
  from unnest(array['result.png', 'photo']) as file, unnest(array[interval '0', interval '10 minutes']) as pause;
  return null;
end;
$$;
revoke all on function private.on_design_job_deleted() from public;
-- by a cascade from the account as well
create trigger on_design_job_deleted after delete on public.design_jobs
  for each row when (old.kind <> 'print_product') execute function private.on_design_job_deleted();

-- Before, because orders forget the design as it is deleted.
create function private.on_design_deleting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A print file stays for the reprints and disputes of what was ordered; where nothing was, it goes with the design.
  if (
    old.printify_product_id is not null
    or exists (select from public.design_jobs j where j.design_id = old.id and j.kind = 'print_product')
  ) and not exists (
    select from public.order_items i join public.orders o on o.id = i.order_id
    where i.design_id = old.id and o.status <> 'cancelled'
  ) then
    insert into private.object_tasks (kind, bucket, name, due_at)
    select 'remove', 'print-files', old.id::text || '.png', now() + pause
    from unnest(array[interval '0', interval '10 minutes']) as pause;
  end if;
  return old;
end;
$$;
revoke all on function private.on_design_deleting() from public;
create trigger on_design_deleting before delete on public.designs
  for each row execute function private.on_design_deleting();

create function private.on_running_design_job_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A vendor is paid for what was begun, even when the design is deleted meanwhile. Without a step nothing was, and nothing will be.
  if old.steps = '{}' then
    perform public.release_usage(old.usage_event);
  else
    perform public.complete_usage(old.usage_event);
  end if;
  return null;
end;
$$;
revoke all on function private.on_running_design_job_deleted() from public;
create trigger on_running_design_job_deleted after delete on public.design_jobs
  for each row when (old.state = 'running') execute function private.on_running_design_job_deleted();

-- Steps ------------------------------------------------------------------------------------------------------------------

create function public.begin_design_job(
  job uuid, of_user uuid, job_kind text, of_design uuid, job_request jsonb, job_seed integer,
  per_hour integer, per_day integer, shop_per_day integer, usage_seconds integer, lease_seconds integer
) returns table (outcome text, open_at timestamptz, design_job jsonb)
language plpgsql security definer set search_path = '' as $$
declare
  known public.design_jobs;
  reserved record;
begin
  perform set_config('synchronous_commit', 'on', true);
  -- one of a user's at a time: two requests with one id make one job
  perform pg_advisory_xact_lock(hashtextextended('public.design_jobs ' || of_user::text, 0));
  select j.* into known from public.design_jobs j
  where j.id = job
    or (job_kind = 'print_product' and j.design_id = of_design and j.kind = job_kind and j.state = 'running')
  order by (j.id = job) desc limit 1;

  if known.id is not null then
    if known.user_id <> of_user or known.kind <> job_kind or known.design_id is distinct from of_design then
      outcome := 'taken';
      return next;
      return;
    end if;
    outcome := known.state;
    if known.state = 'running' and known.leased_until < now() then
      outcome := 'claimed';
      update public.design_jobs j set lease = gen_random_uuid(), attempts = j.attempts + 1,
        leased_until = now() + make_interval(secs => lease_seconds)
      where j.id = known.id returning j.* into known;
    end if;
    design_job := to_jsonb(known);
    return next;
    return;
  end if;

  -- Refused and failed jobs count for no limit of usage, so their rows have one of their own.
  select 'crowded', case when count(*) >= 500 then min(j.created_at) + interval '1 day' else now() + interval '30 seconds' end
  into outcome, open_at
  from public.design_jobs j where j.user_id = of_user and j.created_at > now() - interval '1 day'
  having count(*) >= 500 or count(*) filter (where j.state = 'running') >= 5;
  if outcome is not null then
    return next;
    return;
  end if;

  select u.* into reserved from public.reserve_usage(
    of_user, case job_kind when 'print_product' then job_kind else 'picture' end, per_hour, per_day, shop_per_day,
    usage_seconds
  ) u;
  if reserved.reservation is null then
    outcome := reserved.reached;
    open_at := reserved.open_at;
    return next;
    return;
  end if;
  outcome := 'claimed';
  insert into public.design_jobs as j (id, user_id, kind, design_id, request, seed, usage_event, leased_until)
  values (job, of_user, job_kind, of_design, job_request, job_seed, reserved.reservation,
    now() + make_interval(secs => lease_seconds))
  returning to_jsonb(j.*) into design_job;
  return next;
end;
$$;
comment on function public.begin_design_job(
  uuid, uuid, text, uuid, jsonb, integer, integer, integer, integer, integer, integer
) is
  'claimed: the caller does the job, a new one or one that was left. running, done or failed: the job as it is. taken: the id is '
  'another''s. Otherwise which limit is reached, as reserve_usage says, or crowded, and when it is open again.';

create function public.claim_design_job(lease_seconds integer) returns setof public.design_jobs
language sql security definer set search_path = '' as $$
  select set_config('synchronous_commit', 'on', true);
  delete from public.design_jobs j where j.id in (
    select e.id from public.design_jobs e where e.created_at < now() - interval '1 day'
    order by e.created_at limit 100 for update skip locked
  );
  update public.design_jobs j set lease = gen_random_uuid(), attempts = j.attempts + 1,
    leased_until = now() + make_interval(secs => lease_seconds)
  where j.id = (
    select d.id from public.design_jobs d where d.state = 'running' and d.leased_until < now()
    order by d.leased_until limit 1 for update skip locked
  )
  returning j.*;
$$;
comment on function public.claim_design_job(integer) is 'A job that its process has left, leased to the caller. Ends what is a day old.';

create function public.save_design_job_step(
  job uuid, of_lease uuid, step text, step_value jsonb, lease_seconds integer
) returns boolean
language sql security definer set search_path = '' as $$
  select set_config('synchronous_commit', 'on', true);
  with saved as (
    update public.design_jobs j set leased_until = now() + make_interval(secs => lease_seconds),
      steps = case when step = '' then j.steps else j.steps || jsonb_build_object(step, step_value) end
    where j.id = job and j.lease = of_lease and j.state = 'running'
    returning 1
  )
  select exists (select 1 from saved);
$$;
comment on function public.save_design_job_step(uuid, uuid, text, jsonb, integer) is
  'Stores what a step has begun, and renews the lease; an empty step renews alone. False when the job is another''s by now.';

create function public.leave_design_job(job uuid, of_lease uuid, pause_seconds integer) returns void
language sql security definer set search_path = '' as $$
  update public.design_jobs j set lease = null, attempts = j.attempts - case pause_seconds when 0 then 1 else 0 end,
    leased_until = now() + make_interval(secs => pause_seconds)
  where j.id = job and j.lease = of_lease and j.state = 'running';
$$;
comment on function public.leave_design_job(uuid, uuid, integer) is
  'For the next sweep: after a pause where something of ours was away; at once, uncounted, where a vendor is still working.';

create function public.finish_design_job(job uuid, of_lease uuid, job_result jsonb, object text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  finished public.design_jobs;
begin
  perform set_config('synchronous_commit', 'on', true);
  update public.design_jobs j
  set state = 'done', result = job_result, result_path = object, lease = null, finished_at = now()
  where j.id = job and j.lease = of_lease and j.state = 'running'
  returning j.* into finished;
  if finished.id is null then
    return false;
  end if;
  perform public.complete_usage(finished.usage_event);
  return true;
end;
$$;
comment on function public.finish_design_job(uuid, uuid, jsonb, text) is 'It was made, and counts. False when the job is another''s by now.';

create function public.fail_design_job(
  job uuid, of_lease uuid, public_error text, code text, status integer, cause text
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  failed public.design_jobs;
begin
  perform set_config('synchronous_commit', 'on', true);
  update public.design_jobs j set state = 'failed', error = public_error, error_code = code, error_status = status,
    problem = left(cause, 1000), lease = null, finished_at = now()
  where j.id = job and j.lease = of_lease and j.state = 'running'
  returning j.* into failed;
  if failed.id is null then
    return false;
  end if;
  perform public.release_usage(failed.usage_event);
  return true;
end;
$$;
comment on function public.fail_design_job(uuid, uuid, text, text, integer, text) is
  'It will not be made, and does not count. False when the job is another''s by now.';

create function public.get_design_job(job uuid) returns setof public.design_jobs
language sql stable security definer set search_path = '' as $$
  select j.* from public.design_jobs j where j.id = job;
$$;
comment on function public.get_design_job(uuid) is 'For the functions, which wait for a job that another process does.';

revoke all on function public.begin_design_job(
    uuid, uuid, text, uuid, jsonb, integer, integer, integer, integer, integer, integer
  ), public.claim_design_job(integer), public.save_design_job_step(uuid, uuid, text, jsonb, integer),
  public.leave_design_job(uuid, uuid, integer), public.finish_design_job(uuid, uuid, jsonb, text),
  public.fail_design_job(uuid, uuid, text, text, integer, text), public.get_design_job(uuid) from public;
grant execute on function public.begin_design_job(
    uuid, uuid, text, uuid, jsonb, integer, integer, integer, integer, integer, integer
  ), public.claim_design_job(integer), public.save_design_job_step(uuid, uuid, text, jsonb, integer),
  public.leave_design_job(uuid, uuid, integer), public.finish_design_job(uuid, uuid, jsonb, text),
  public.fail_design_job(uuid, uuid, text, text, integer, text), public.get_design_job(uuid) to service_role;
