-- What Stripe says of an order's money becomes the books (docs/decisions/0062-money-from-stripe.md): refunds that did or did not
-- go through, disputes open, won and lost. For service_role alone, like the other transitions.

create function private.record_disputes(of_order uuid, disputes jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  d record;
begin
  for d in
    select * from jsonb_to_recordset(disputes) as r (id text, status text, cents integer, due_by timestamptz) order by r.id
  loop
    if not exists (
      select from public.order_events e where e.order_id = of_order and e.kind = 'dispute' and e.details ->> 'id' = d.id
    ) then
      perform private.raise_flag(of_order, 'disputed', format(
        '%s about %s cents is %s%s.', d.id, d.cents, d.status,
        ': answer in Stripe''s dashboard by ' || to_char(d.due_by at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
      ));
    end if;
    if not exists (
      select from public.order_events e
      where e.order_id = of_order and e.kind = 'dispute' and e.details @> jsonb_build_object('id', d.id, 'status', d.status)
    ) then
      perform private.add_event(of_order, 'dispute', jsonb_build_object('id', d.id, 'status', d.status, 'cents', d.cents));
    end if;
  end loop;
end;
$$;
comment on function private.record_disputes(uuid, jsonb) is 'Every step of a dispute is in the history; a person is called when it is opened.';

create function private.hold_order(of_order uuid, is_disputed boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if is_disputed and o.held_at is null then
    update public.orders set held_at = now(), money_version = money_version + 1 where id = o.id;
    perform private.end_jobs(o.id, array['print']);
    -- the news that it is closed may never come
    perform private.add_job(o.id, 'dispute', now() + interval '1 hour');
  elsif not is_disputed and o.held_at is not null then
    update public.orders set held_at = null, money_version = money_version + 1 where id = o.id;
    perform private.end_jobs(o.id, array['dispute']);
    update public.order_jobs j set due_at = least(j.due_at, now())
    where j.order_id = o.id and j.kind in ('track', 'refund') and j.done_at is null;
    perform private.ask_printing(o.id);
  end if;
end;
$$;
comment on function private.hold_order(uuid, boolean) is 'While a payment is disputed nothing goes to production; afterwards the order goes on.';

create function public.record_money(
  of_order uuid, read_version integer, refund text, refunded integer, failed_refunds text[] default '{}',
  disputes jsonb default '[]', lost integer default 0, is_disputed boolean default false
) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
  gone integer;
  failed text;
begin
  if o.paid_at is null then
    -- what returns money settles its payment first: nothing may be acknowledged that is not in the books
    raise exception 'Money of an order that is not paid.' using errcode = '23514';
  end if;
  if o.money_version <> read_version then
    return 'stale';
  end if;
  perform private.record_disputes(o.id, disputes);
  foreach failed in array failed_refunds loop
    if not exists (
      select from public.order_events e
      where e.order_id = o.id and e.kind = 'refund_failed' and e.details ->> 'refund_id' = failed
    ) then
      perform private.add_event(o.id, 'refund_failed', jsonb_build_object('refund_id', failed));
      perform private.raise_flag(o.id, 'refund_failed', failed);
    end if;
  end loop;
  if refunded + lost > o.total_cents and not exists (
    select from public.order_flags f where f.order_id = o.id and f.reason = 'returned_twice'
  ) then
    perform private.raise_flag(o.id, 'returned_twice', format('%s cents refunded, %s lost to the bank.', refunded, lost));
  end if;
  gone := least(refunded + lost, o.total_cents);
  lost := least(lost, gone);
  if o.refund_id is null and refund is not null then
    update public.orders set refund_id = refund where id = o.id;
  end if;
  if (gone, lost) is distinct from (o.refunded_cents, o.lost_cents) then
    update public.orders set
      refunded_cents = gone, lost_cents = lost,
      refunded_at = case when gone > o.refunded_cents then now() else refunded_at end,
      money_version = money_version + 1
    where id = o.id;
    perform private.add_event(o.id, 'refunded', jsonb_build_object('refund_id', refund, 'cents', gone, 'lost', lost));
  end if;
  if gone > o.refunded_cents then
    perform private.add_message(o.id, 'automation', 'order.refunded');
    -- the shop itself returns all of it after a cancellation, or when an admin has given a reason
    if gone >= o.total_cents and o.refund_reason is null and o.cancel_requested_at is null then
      if o.status = 'paid' then
        perform private.ask_cancellation(o.id, 'the whole payment went back', null);
        o.cancel_requested_at := now();
      elsif o.status <> 'cancelled' then
        perform private.raise_flag(o.id, 'money_returned', format('%s cents went back when it was %s.', gone, o.status));
      end if;
    end if;
    -- a cancellation's own mail announces its refund, and the bank what it has taken
    if refunded > o.refunded_cents - o.lost_cents
       and not (o.status = 'paid' and o.cancel_requested_at is not null)
       and not exists (select from public.order_messages m where m.order_id = o.id and m.kind = 'cancelled') then
      perform private.add_message(o.id, 'mail', 'refunded');
    end if;
  end if;
  if gone >= o.total_cents then
    perform private.end_jobs(o.id, array['refund']);
  end if;
  perform private.hold_order(o.id, is_disputed);
  return 'recorded';
end;
$$;
comment on function public.record_money(uuid, integer, text, integer, text[], jsonb, integer, boolean) is
  'What Stripe says now of an order''s money becomes the books: refunds that did not fail, disputes lost and open. '
  'read_version is the order''s before Stripe was asked; stale: another answer was written meanwhile, ask again.';
revoke all on function private.record_disputes(uuid, jsonb), private.hold_order(uuid, boolean),
  public.record_money(uuid, integer, text, integer, text[], jsonb, integer, boolean) from public;
grant execute on function public.record_money(uuid, integer, text, integer, text[], jsonb, integer, boolean) to service_role;
