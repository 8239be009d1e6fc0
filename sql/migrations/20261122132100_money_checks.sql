-- What Stripe has captured, refunded and disputed is compared with the books (docs/decisions/0063-money-compared.md). The sweep
-- reads Stripe's events from a cursor on; each payment that they name and the books do not explain is compared by itself, so that
-- one that fails holds no other. For service_role alone.

create table private.money_reads (
  only_row boolean primary key default true check (only_row),
  version integer not null default 0,
  read_until bigint not null default 0,
  newest bigint,
  resume_after text,
  next_at timestamptz not null default 'epoch',
  ended_at timestamptz
);
comment on table private.money_reads is
  'One row: how far Stripe''s events have been read. read_until is Stripe''s second of the newest event of the last list that was '
  'read to its end; newest and resume_after belong to a list that is not, from its newest event down. Not granted to any API role.';
comment on column private.money_reads.version is 'Counts what is written: a reader that was overtaken writes nothing.';
comment on column private.money_reads.ended_at is 'When a list was last read to its end.';
comment on column private.money_reads.next_at is 'When the next sweep reads on; while one reads, the end of its lease.';
alter table private.money_reads enable row level security;  -- and no policy: only the owner gets in
insert into private.money_reads default values;

create table private.money_checks (
  intent_id text primary key check (length(intent_id) between 1 and 255),
  requests integer not null default 1,
  events text[] not null default '{}',
  attempts integer not null default 0,
  due_at timestamptz not null,
  problem text,
  mailed_at timestamptz,
  agreed_at timestamptz
);
comment on table private.money_checks is
  'Payments that were or are to be compared with the books. One that a person got a mail about (mailed_at) stays, so that there is '
  'one mail; one that agrees goes a day later. Not granted to any API role.';
comment on column private.money_checks.events is 'What made us look; the same event, read again, does so no more.';
comment on column private.money_checks.requests is 'Counts what made us look: news that comes while we look make us look again.';
create index money_checks_agreed_idx on private.money_checks (agreed_at) where agreed_at is not null;
create index money_checks_mailed_idx on private.money_checks (mailed_at) where mailed_at is not null;
create index money_checks_due_idx on private.money_checks (due_at) where due_at < 'infinity';
alter table private.money_checks enable row level security;  -- and no policy: only the owner gets in

create function private.money_in_words(captured integer, refunded integer, lost integer, disputed boolean) returns text
language sql immutable set search_path = '' as $$
  select concat_ws(', ', format('%s captured', captured), case when refunded <> 0 then format('%s refunded', refunded) end,
    case when lost <> 0 then format('%s lost', lost) end, case when disputed then 'disputed' end);
$$;
comment on function private.money_in_words(integer, integer, integer, boolean) is 'Cents, for a person.';

create function public.compare_payments(payments jsonb) returns table (intent_id text, order_id uuid, at_stripe text, in_books text)
language sql stable security definer set search_path = '' as $$
  select p.intent, coalesce(o.id, n.id), private.money_in_words(p.captured, p.refunded, p.lost, p.disputed),
    private.money_in_words(b.captured, b.gone - b.lost, b.lost, b.disputed)
  from jsonb_to_recordset(payments) as p (
    intent text, named_order text, captured integer, refunded integer, lost integer, disputed boolean
  )
  left join public.orders o on o.payment_intent_id = p.intent
  left join public.orders n
    on n.id = case when p.named_order ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p.named_order::uuid end
  cross join lateral (select least(p.refunded + p.lost, p.captured) as gone) s
  cross join lateral (
    select case when o.paid_at is not null then o.total_cents else 0 end as captured, coalesce(o.refunded_cents, 0) as gone,
      coalesce(o.lost_cents, 0) as lost, o.held_at is not null as disputed
  ) b
  where case
    when o.paid_at is not null then
      (b.captured, b.gone, b.lost, b.disputed) is distinct from (p.captured, s.gone, least(p.lost, s.gone), p.disputed)
    -- what is in no books and went back leaves nothing to explain, and the account may have payments of others
    else (s.gone < p.captured or p.disputed) and (o.id is not null or p.named_order <> '')
  end;
$$;
comment on function public.compare_payments(jsonb) is
  'Of payments as Stripe has them [{intent, named_order, captured, refunded, lost, disputed}] those that the books do not have so. '
  'order_id is the order that has this intent, or that its metadata name; null where there is none. One that names no order is '
  'not the shop''s.';

create function public.request_money_checks(intents text[]) returns void
language sql security definer set search_path = '' as $$
  insert into private.money_checks as c (intent_id, due_at)
  select distinct i.id, now() from unnest(intents) as i (id)
  on conflict (intent_id) do update set requests = c.requests + 1, attempts = 0, due_at = now(), agreed_at = null;
$$;
comment on function public.request_money_checks(text[]) is 'The next sweep compares these payments with the books.';

create function public.begin_money_read(lease_seconds integer) returns table (version integer, read_until bigint, resume_after text)
language sql security definer set search_path = '' as $$
  update private.money_reads r set version = r.version + 1, next_at = now() + make_interval(secs => lease_seconds)
  where r.next_at <= now()
  returning r.version, r.read_until, r.resume_after;
$$;
comment on function public.begin_money_read(integer) is
  'Where to read on in Stripe''s events; nothing while another process reads, or has lately read to the end.';

create function public.save_money_page(
  read_version integer, events jsonb, newest_event bigint, last_event text, is_end boolean, next_seconds integer
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  r private.money_reads;
begin
  select * into r from private.money_reads for update;
  if r.version <> read_version then
    return false;
  end if;
  insert into private.money_checks as c (intent_id, events, due_at)
  -- the webhook's own work may be under way
  select e.intent, array_agg(e.event), now() + interval '1 minute'
  from jsonb_to_recordset(save_money_page.events) as e (event text, intent text, captured integer)
  where e.captured is null or not exists (
    select from public.orders o
    where o.payment_intent_id = e.intent and o.paid_at is not null and o.total_cents = e.captured
  )
  group by e.intent
  on conflict (intent_id) do update set
    requests = c.requests + 1, attempts = 0, due_at = least(c.due_at, excluded.due_at), agreed_at = null,
    events = array(select unnest(c.events) union select unnest(excluded.events))
  where not excluded.events <@ c.events;
  if is_end then
    delete from private.money_checks c where c.agreed_at < now() - interval '1 day';
  end if;
  update private.money_reads set
    read_until = case
      when is_end then greatest(r.read_until, coalesce(r.newest, newest_event))
      else r.read_until
    end,
    newest = case when not is_end then coalesce(r.newest, newest_event) end,
    resume_after = case when not is_end then last_event end,
    ended_at = case when is_end then now() else r.ended_at end,
    next_at = now() + make_interval(secs => next_seconds);
  return true;
end;
$$;
comment on function public.save_money_page(integer, jsonb, bigint, text, boolean, integer) is
  'A page of events was read [{event, intent, captured}]: what was captured is compared at once, of what went back or is disputed '
  '(captured is null) Stripe must be asked. False for a reader that was overtaken. Without last_event the list is read anew.';

create function public.claim_money_check(lease_seconds integer) returns table (
  intent_id text, requests integer, attempts integer, is_mailed boolean
)
language sql security definer set search_path = '' as $$
  update private.money_checks c set attempts = c.attempts + 1, due_at = now() + make_interval(secs => lease_seconds)
  where c.intent_id = (
    select d.intent_id from private.money_checks d where d.due_at <= now() and d.due_at < 'infinity' order by d.due_at, d.intent_id
    limit 1 for update skip locked
  )
  returning c.intent_id, c.requests, c.attempts, c.mailed_at is not null;
$$;
comment on function public.claim_money_check(integer) is 'A payment that is due and that no other process compares.';

create function public.finish_money_check(intent text, of_requests integer) returns void
language sql security definer set search_path = '' as $$
  update private.money_checks c set
    attempts = 0, problem = null, mailed_at = null,
    due_at = case when c.requests = of_requests then 'infinity' else now() end,
    agreed_at = case when c.requests = of_requests then now() end
  where c.intent_id = intent;
$$;
comment on function public.finish_money_check(text, integer) is 'The books agree; with news since, they are compared once more.';

create function public.fail_money_check(intent text, of_requests integer, why text, is_final boolean, was_mailed boolean) returns void
language sql security definer set search_path = '' as $$
  update private.money_checks c set
    problem = left(why, 500), mailed_at = case when was_mailed then coalesce(c.mailed_at, now()) else c.mailed_at end,
    due_at = case
      when c.requests <> of_requests then now()
      when is_final then 'infinity'
      else now() + private.backoff(c.attempts)
    end
  where c.intent_id = intent;
$$;
comment on function public.fail_money_check(text, integer, text, boolean, boolean) is
  'The books do not agree, or cannot be compared. Final: not before there is news. was_mailed: a person knows of it.';

create function public.get_money_figures() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'compared_seconds', (select extract(epoch from now() - r.ended_at) from private.money_reads r),
    'unexplained', (select count(*) from private.money_checks c where c.mailed_at is not null)
  );
$$;
comment on function public.get_money_figures() is
  'For production-check: seconds since Stripe''s events were last read to their end, null before the first time, and how many '
  'payments a person got a mail about and the books do not have yet as Stripe does.';

revoke all on function private.money_in_words(integer, integer, integer, boolean), public.compare_payments(jsonb),
  public.request_money_checks(text[]), public.begin_money_read(integer),
  public.save_money_page(integer, jsonb, bigint, text, boolean, integer), public.claim_money_check(integer),
  public.finish_money_check(text, integer), public.fail_money_check(text, integer, text, boolean, boolean),
  public.get_money_figures() from public;
grant execute on function public.compare_payments(jsonb), public.request_money_checks(text[]),
  public.begin_money_read(integer), public.save_money_page(integer, jsonb, bigint, text, boolean, integer),
  public.claim_money_check(integer), public.finish_money_check(text, integer),
  public.fail_money_check(text, integer, text, boolean, boolean), public.get_money_figures() to service_role;
