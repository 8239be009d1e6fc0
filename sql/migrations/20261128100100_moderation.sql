-- Moderation: anybody reports a design, an admin keeps it, takes it down or restores it, its owner is told, and paid orders of it
-- wait for a decision of their own.

-- Reports -----------------------------------------------------------------------------------------------------------------

create table private.design_reports (
  id uuid primary key default gen_random_uuid(),
  design_id uuid not null references public.designs (id) on delete cascade,
  reason text not null check (reason in ('copyright', 'hate', 'sexual', 'violence', 'privacy', 'other')),
  words text not null default '' check (length(words) <= 1000 and words = private.clean_text(words)),
  created_at timestamptz not null default now(),
  decided_at timestamptz
);
comment on table private.design_reports is
  'What people report. Deliberately without the reporter: nobody can learn who it was. Not granted to any API role: report_design '
  'writes it, for the function report-design; admins read it by list_design_cases and get_design_case.';
create index design_reports_design_id_idx on private.design_reports (design_id, created_at);
create index design_reports_open_idx on private.design_reports (design_id, created_at) where decided_at is null;
create index design_reports_open_created_at_idx on private.design_reports (created_at desc) where decided_at is null;
alter table private.design_reports enable row level security;  -- and no policy: only the owner gets in

create table private.report_senders (
  id bigint generated always as identity primary key,
  sender bytea not null check (octet_length(sender) = 32),
  reported_at timestamptz not null
);
comment on table private.report_senders is
  'How often an address has reported within a day, as a digest under the functions'' secret. It names no report.';
create index report_senders_sender_idx on private.report_senders (sender, reported_at desc);
create index report_senders_reported_at_idx on private.report_senders (reported_at desc);
alter table private.report_senders enable row level security;  -- and no policy: only the owner gets in

-- `moment` is a value, so that the index is searched for it: clock_timestamp() would be asked for each row.
create function private.report_open_at(of_sender bytea, most integer, period interval, moment timestamptz) returns timestamptz
language sql volatile set search_path = '' as $$
  select s.reported_at + period from private.report_senders s
  where (of_sender is null or s.sender = of_sender) and s.reported_at > moment - period
  order by s.reported_at desc offset greatest(most, 1) - 1 limit 1;
$$;
comment on function private.report_open_at(bytea, integer, interval, timestamptz) is
  'When the reports of a sender (of all, without one) in the last period become fewer than `most`; null while they are fewer.';

create function public.report_design(
  of_design uuid, link_key text, reason text, words text, sender bytea, per_hour integer, per_day integer, shop_per_day integer
) returns table (outcome text, open_at timestamptz)
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  moment timestamptz;
  open_reports integer;
begin
  if not exists (
    select 1 from public.designs d where d.id = of_design and private.link_opens(d.id, report_design.link_key)
  ) then
    outcome := 'unknown';
    return next;
    return;
  end if;
  if least(per_hour, per_day, shop_per_day) < 1 then
    outcome := 'closed';
    return next;
    return;
  end if;
  -- one at a time: the limits count what others report
  perform pg_advisory_xact_lock(hashtextextended('private.report_senders', 0));
  moment := clock_timestamp();
  delete from private.report_senders s where s.reported_at < moment - interval '1 day';
  select l.name, l.at into outcome, open_at
  from (values
    ('hour', private.report_open_at(report_design.sender, per_hour, interval '1 hour', moment)),
    ('day', private.report_open_at(report_design.sender, per_day, interval '1 day', moment)),
    ('shop', private.report_open_at(null, shop_per_day, interval '1 day', moment))
  ) l (name, at)
  where l.at is not null order by l.at desc limit 1;
  if outcome is not null then
    return next;
    return;
  end if;
  insert into private.report_senders (sender, reported_at) values (report_design.sender, moment);
  select count(*) into open_reports from (
    select 1 from private.design_reports r where r.design_id = of_design and r.decided_at is null limit 100
  ) open;
  -- A hundred that nobody has looked at yet say what one more would.
  if open_reports < 100 then
    insert into private.design_reports (design_id, reason, words)
    values (of_design, report_design.reason, btrim(private.clean_text(report_design.words)));
  end if;
  if open_reports = 0 then
    perform private.tell_of_reports();
  end if;
  outcome := 'reported';
  return next;
end;
$$;
comment on function public.report_design(uuid, text, text, text, bytea, integer, integer, integer) is
  'reported; unknown: the link opens nothing; otherwise which limit is reached (hour, day, shop) and when it is open again, or closed.';

-- Mails --------------------------------------------------------------------------------------------------------------------

create table private.design_notices (
  id uuid primary key default gen_random_uuid(),
  takedown_id uuid unique references private.design_takedowns (id) on delete cascade,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  last_error text check (length(last_error) <= 1000),
  sent_at timestamptz,
  gave_up_at timestamptz
);
comment on table private.design_notices is
  'The mails that tell an owner of a decision, once each, and the shop of new reports; the sweep sends them. Not granted to any API role.';
comment on column private.design_notices.takedown_id is 'Null in a mail to the shop: designs were reported.';
create index design_notices_due_idx on private.design_notices (due_at) where sent_at is null and gave_up_at is null;
create index design_notices_of_reports_idx on private.design_notices (due_at desc) where takedown_id is null;
alter table private.design_notices enable row level security;  -- and no policy: only the owner gets in

create function private.tell_of_reports() returns void
language sql security definer set search_path = '' as $$
  insert into private.design_notices (due_at)
  select greatest(now(), (
    select n.due_at + interval '1 hour' from private.design_notices n where n.takedown_id is null order by n.due_at desc limit 1
  ))
  -- one that nobody is sending yet will tell of this case too
  where not exists (
    select 1 from private.design_notices n
    where n.takedown_id is null and n.sent_at is null and n.gave_up_at is null and n.leased_until is null
  );
$$;
comment on function private.tell_of_reports() is
  'A design was reported that had no open reports: the shop gets a mail, and one an hour at most. report_design has the lock.';

create function public.claim_design_notice(lease_seconds integer) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  claimed private.design_notices;
begin
  perform set_config('synchronous_commit', 'on', true);
  -- the account is gone, or all cases are closed: nobody is to be told
  delete from private.design_notices n
  where n.sent_at is null and n.gave_up_at is null and case
    when n.takedown_id is null then not exists (select 1 from private.design_reports r where r.decided_at is null)
    else not exists (
      select 1 from private.design_takedowns t join auth.users u on u.id = t.owner_id
      where t.id = n.takedown_id and u.email <> ''
    )
  end;
  update private.design_notices n
  set attempts = n.attempts + 1, leased_until = now() + make_interval(secs => lease_seconds)
  where n.id = (
    select d.id from private.design_notices d
    where d.sent_at is null and d.gave_up_at is null and (d.leased_until is null or d.leased_until < now()) and d.due_at <= now()
    order by d.due_at limit 1 for update skip locked
  )
  returning n.* into claimed;
  if claimed.takedown_id is null then
    return (
      select jsonb_build_object(
        'id', claimed.id, 'decision', 'report', 'reason', r.reason, 'design_name', d.name,
        -- counted no further than a person reads
        'cases', (
          select count(*) from (
            select distinct o.design_id from private.design_reports o where o.decided_at is null limit 1000
          ) c
        )
      )
      from private.design_reports r join public.designs d on d.id = r.design_id
      where claimed.id is not null and r.decided_at is null
      order by r.created_at desc limit 1
    );
  end if;
  return (
    select jsonb_build_object(
      'id', claimed.id, 'decision', t.decision, 'reason', t.reason, 'note', t.note, 'design_name', t.design_name,
      'email', u.email, 'name', coalesce(nullif(trim(p.name), ''), nullif(trim(p.username), ''), ''),
      'is_public', exists (select 1 from public.public_designs g where g.design_id = t.design_id)
    )
    from private.design_takedowns t
    join auth.users u on u.id = t.owner_id
    left join private.profiles p on p.id = t.owner_id
    where t.id = claimed.takedown_id
  );
end;
$$;
comment on function public.claim_design_notice(integer) is
  'One mail that is due, leased to the caller; null when there is none. That of reports has the newest one and how many designs '
  'wait, and not what people wrote: this is for the panel.';

create function public.finish_design_notice(notice uuid) returns void
language sql security definer set search_path = '' as $$
  select set_config('synchronous_commit', 'on', true);
  update private.design_notices n set sent_at = now(), leased_until = null, last_error = null where n.id = notice;
$$;
comment on function public.finish_design_notice(uuid) is 'It was sent.';

create function public.fail_design_notice(notice uuid, problem text, most_attempts integer) returns void
language sql security definer set search_path = '' as $$
  update private.design_notices n set
    leased_until = null, last_error = left(problem, 1000), due_at = now() + private.backoff(n.attempts),
    gave_up_at = case when n.attempts >= most_attempts then now() end
  where n.id = notice and n.sent_at is null;
$$;
comment on function public.fail_design_notice(uuid, text, integer) is 'Tried again later, and given up after most_attempts; the case shows it.';

-- Orders that wait ----------------------------------------------------------------------------------------------------------

alter table public.orders add column design_held_at timestamptz;
comment on column public.orders.design_held_at is
  'Since when it waits because its design was taken down: nothing goes to production until an admin has released or cancelled it.';
create index orders_design_held_idx on public.orders (id) where design_held_at is not null;

create or replace function public.begin_printing(of_order uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.printify_order_id is not null then return 'printed'; end if;
  if o.status = 'cancelled' or o.cancel_requested_at is not null then return 'cancelled'; end if;
  if o.paid_at is null then return 'unpaid'; end if;
  if o.held_at is not null then return 'held'; end if;
  if o.design_held_at is not null then return 'design_held'; end if;
  update public.orders set print_requested_at = coalesce(print_requested_at, now()) where id = o.id;
  return 'go';
end;
$$;
comment on function public.begin_printing(uuid) is
  'Whether the order may be submitted to the printer: go, printed already, cancelled, unpaid, held (by a dispute), design_held.';

create or replace function private.ask_printing(of_order uuid) returns void
language sql security definer set search_path = '' as $$
  select private.add_job(o.id, 'print') from public.orders o
  where o.id = of_order and o.status = 'paid' and o.printify_order_id is null
    and o.cancel_requested_at is null and o.held_at is null and o.design_held_at is null;
$$;

create or replace function private.delays_parcel(reason text) returns boolean
language sql immutable set search_path = '' as $$
  select reason in ('print_failed', 'printer_problem', 'design_taken_down');
$$;

create function private.hold_orders_of(taken uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  o record;
begin
  -- Locked before their status is looked at: one that is being paid or printed is seen as it is afterwards.
  for o in
    select p.id, p.status, p.cancel_requested_at, p.design_held_at from public.orders p
    where p.id in (select i.order_id from public.order_items i where i.design_id = any (taken))
      and p.status in ('pending', 'paid')
    order by p.id for update
  loop
    continue when o.cancel_requested_at is not null or o.design_held_at is not null;
    if o.status = 'pending' then
      perform private.ask_cancellation(o.id, 'its design was taken down', (select auth.uid()));
    else
      update public.orders set design_held_at = now() where id = o.id;
      perform private.end_jobs(o.id, array['print']);
      perform private.raise_flag(o.id, 'design_taken_down', 'Print it after all, or cancel it: then its payment goes back.');
    end if;
  end loop;
end;
$$;
comment on function private.hold_orders_of(uuid[]) is
  'What is paid and not in production waits for a person; what is not paid yet ends, its payment page with it.';

create function private.release_order(of_order uuid, why text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.design_held_at is null then
    return false;
  end if;
  update public.orders set design_held_at = null where id = o.id;
  update public.order_flags f set resolved_at = now()
  where f.order_id = o.id and f.reason = 'design_taken_down' and f.resolved_at is null;
  perform private.add_event(o.id, 'hold_released', jsonb_build_object('why', why), (select auth.uid()));
  update public.order_jobs j set due_at = least(j.due_at, now())
  where j.order_id = o.id and j.kind = 'track' and j.done_at is null;
  perform private.ask_printing(o.id);
  return true;
end;
$$;
comment on function private.release_order(uuid, text) is 'The order goes on as if its design had not been taken down.';

create function public.release_held_order(of_order uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.release_order(of_order, 'an admin has decided to print it');
end;
$$;
comment on function public.release_held_order(uuid) is
  'For admins: prints an order whose design was taken down. False where it does not wait any more.';

create function private.end_hold() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.orders set design_held_at = null where id = new.id;
  if new.status = 'cancelled' then
    update public.order_flags f set resolved_at = now()
    where f.order_id = new.id and f.reason = 'design_taken_down' and f.resolved_at is null;
  end if;
  return null;
end;
$$;
comment on function private.end_hold() is
  'A cancelled order waits for nobody. One that the printer was making already keeps its flag, for a person to read.';
create trigger end_hold after update of status on public.orders
  for each row when (new.status not in ('pending', 'paid') and new.design_held_at is not null)
  execute function private.end_hold();

create function private.keep_hold_flagged() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select 1 from public.orders o where o.id = new.order_id and o.design_held_at is not null) then
    raise exception 'Print or cancel the order: that resolves it.' using errcode = '23514';
  end if;
  return new;
end;
$$;
comment on function private.keep_hold_flagged() is 'An order that waits never leaves the list of those that need a person.';
create trigger keep_hold_flagged before update of resolved_at on public.order_flags
  for each row when (new.reason = 'design_taken_down' and old.resolved_at is null and new.resolved_at is not null)
  execute function private.keep_hold_flagged();

revoke all on function private.report_open_at(bytea, integer, interval, timestamptz),
  public.report_design(uuid, text, text, text, bytea, integer, integer, integer), private.tell_of_reports(),
  public.claim_design_notice(integer), public.finish_design_notice(uuid), public.fail_design_notice(uuid, text, integer),
  private.hold_orders_of(uuid[]), private.release_order(uuid, text), public.release_held_order(uuid), private.end_hold(),
  private.keep_hold_flagged() from public;
grant execute on function public.report_design(uuid, text, text, text, bytea, integer, integer, integer),
  public.claim_design_notice(integer), public.finish_design_notice(uuid), public.fail_design_notice(uuid, text, integer)
  to service_role;
grant execute on function public.release_held_order(uuid) to authenticated;
