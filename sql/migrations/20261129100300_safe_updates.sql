-- The hosted platform loads `safeupdate` for calls of the API: it refuses an update or a deletion without a condition, in functions too.
-- The sweep would have ended at the reading of Stripe's events; and each page of them read all orders.

create or replace function public.save_money_page(
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
  select e.intent, array_agg(distinct e.event), now() + interval '1 minute'
  from jsonb_to_recordset(save_money_page.events) as e (event text, intent text, captured integer)
  -- by the intents' index: a condition `or not exists` would read every order
  left join public.orders o
    on o.payment_intent_id = e.intent and o.paid_at is not null and o.total_cents = e.captured
  where o.id is null
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
    next_at = now() + make_interval(secs => next_seconds)
  where true;
  return true;
end;
$$;
