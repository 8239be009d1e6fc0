-- Answers of calls that carry an Idempotency-Key, so that a repetition gets the same answer (docs/decisions/0064).
--
-- A call is begun before its work and finished with its answer after it. A process that dies in between leaves a lease that
-- ends: the repetition then does the work, which is safe to repeat by itself. Who calls, what is called, key and content are
-- digests here, keyed by a secret of the functions, and the answer is encrypted by a key that is made of the caller's.

create table private.keyed_calls (
  call bytea primary key check (length(call) = 32),
  holder bytea not null check (length(holder) = 32),
  content bytea not null check (length(content) = 32),
  lease uuid,
  leased_until timestamptz,
  answer bytea check (length(answer) <= 20000),
  created_at timestamptz not null default clock_timestamp(),
  check ((lease is null) = (leased_until is null)),
  check (answer is null or lease is null)
);
comment on table private.keyed_calls is
  'One row for each Idempotency-Key of the last day. Not granted to any API role: begin_call, finish_call and forget_calls are the way in.';
comment on column private.keyed_calls.call is 'Digest of function, caller and key.';
comment on column private.keyed_calls.holder is 'Digest of the caller, all who have not signed in counting as one: of each the newest rows stay.';
comment on column private.keyed_calls.content is 'Digest of the body: with the same key another one is refused.';
comment on column private.keyed_calls.lease is 'Of the process that does the work. Null once it is done, or when it failed and may be tried again.';
comment on column private.keyed_calls.answer is 'Status and body, encrypted. Null for an answer that is not given again.';

-- the newest of one holder
create index keyed_calls_holder_idx on private.keyed_calls (holder, created_at desc);
-- those that have been stored long enough
create index keyed_calls_created_at_idx on private.keyed_calls (created_at);

alter table private.keyed_calls enable row level security;  -- and no policy: only the owner gets in

create function public.begin_call(
  call bytea, holder bytea, content bytea, lease_seconds integer, most integer
) returns table (outcome text, lease uuid, answer bytea, free_at timestamptz)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  known private.keyed_calls;
begin
  -- One call of a holder at a time, so that two of one key, or of the last place, cannot begin together.
  perform pg_advisory_xact_lock(hashtextextended('private.keyed_calls ' || begin_call.holder::text, 0));
  delete from private.keyed_calls k
  where k.call = begin_call.call and k.created_at < clock_timestamp() - interval '1 day';
  select * into known from private.keyed_calls k where k.call = begin_call.call;

  if known.call is null then
    delete from private.keyed_calls k
    where k.call in (
      select o.call from private.keyed_calls o where o.holder = begin_call.holder
      order by o.created_at desc offset greatest(begin_call.most, 1) - 1
    );
    insert into private.keyed_calls as k (call, holder, content) values (begin_call.call, begin_call.holder, begin_call.content);
  elsif known.content <> begin_call.content then
    return query select 'other_content', null::uuid, null::bytea, null::timestamptz;
    return;
  elsif known.answer is not null then
    return query select 'answered', null::uuid, known.answer, null::timestamptz;
    return;
  elsif known.leased_until > clock_timestamp() then
    return query select 'running', null::uuid, null::bytea, known.leased_until;
    return;
  end if;
  return query
    update private.keyed_calls k
    set lease = gen_random_uuid(), leased_until = clock_timestamp() + make_interval(secs => begin_call.lease_seconds)
    where k.call = begin_call.call
    returning 'begun', k.lease, null::bytea, k.leased_until;
end;
$$;
comment on function public.begin_call(bytea, bytea, bytea, integer, integer) is
  'Whether a call with a key is to be worked on: begun, with a lease; answered before, with the answer; running, until free_at '
  'at the latest; or other_content, when the key came with another body. Of a holder the newest `most` calls stay.';

create function public.finish_call(call bytea, lease uuid, answer bytea) returns void
language sql security definer set search_path = '' as $$
  update private.keyed_calls k set lease = null, leased_until = null, answer = finish_call.answer
  where k.call = finish_call.call and k.lease = finish_call.lease;
$$;
comment on function public.finish_call(bytea, uuid, bytea) is
  'Stores the answer of a call; without one the call may be repeated at once. A lease that another process has taken over changes nothing.';

create function public.forget_calls() returns bigint
language sql security definer set search_path = '' as $$
  with gone as (
    -- now(), because no index serves a volatile clock_timestamp()
    delete from private.keyed_calls k where k.created_at < now() - interval '1 day' returning 1
  )
  select count(*) from gone;
$$;
comment on function public.forget_calls() is 'Removes calls that are older than a day; how many.';

revoke all on function public.begin_call(bytea, bytea, bytea, integer, integer), public.finish_call(bytea, uuid, bytea),
  public.forget_calls() from public;
grant execute on function public.begin_call(bytea, bytea, bytea, integer, integer), public.finish_call(bytea, uuid, bytea),
  public.forget_calls() to service_role;
