-- The nightly check of the totals: each is counted anew and compared, one kind with each run of the sweep after three o'clock
-- (UTC), and what differs is reported. A total that differs is a mistake in a trigger, or rows that were loaded past it.

create table private.total_checks (
  kind text primary key,
  next_at timestamptz not null default 'epoch'
);
comment on table private.total_checks is 'When each kind of total is compared with its rows next. Not granted to any API role.';
alter table private.total_checks enable row level security;  -- and no policy: only the owner gets in
insert into private.total_checks (kind) values
  ('shop'), ('likes'), ('designs of users'), ('orders of users'), ('sessions of users'), ('names of public designs');

create function private.counted_totals() returns private.totals
language sql stable set search_path = '' as $$
  select 0::smallint, (select count(*) from private.profiles), d.total, d.printable,
    (select count(*) from public.public_designs), o.total, o.spent
  from (select count(*) as total, count(printify_product_id) as printable from public.designs) d,
    (select count(*) as total, coalesce(sum(total_cents - refunded_cents), 0) as spent
     from public.orders where private.counts_as_paid(status)) o;
$$;
comment on function private.counted_totals() is 'The shop''s totals, counted row by row.';

create function private.wrong_totals(kind text) returns table (of_row text, held text, counted text)
language plpgsql stable security definer set search_path = '' as $$
begin
  case kind
    when 'shop' then return query
      select h.key, h.value, c.value
      from (select to_jsonb(s) as held, to_jsonb(private.counted_totals()) - 'shard' as counted from (
          select sum(t.users) as users, sum(t.designs) as designs, sum(t.printable_designs) as printable_designs,
            sum(t.public_designs) as public_designs, sum(t.paid_orders) as paid_orders,
            sum(t.spent_cents) as spent_cents
          from private.totals t) s) b,
        jsonb_each_text(b.held) h join jsonb_each_text(b.counted) c using (key)
      where coalesce(h.value, '0') <> c.value;
    when 'likes' then return query
      select coalesce(t.design_id, c.design_id)::text, coalesce(t.likes, 0)::text, coalesce(c.total, 0)::text
      from private.design_like_totals t
      full join (select l.design_id, count(*) as total from public.design_likes l group by l.design_id) c using (design_id)
      where coalesce(t.likes, 0) <> coalesce(c.total, 0);
    when 'designs of users' then return query
      select coalesce(t.user_id, c.user_id)::text, coalesce(t.designs, 0)::text, coalesce(c.total, 0)::text
      from private.user_totals t
      full join (select d.user_id, count(*) as total from public.designs d group by d.user_id) c using (user_id)
      where coalesce(t.designs, 0) <> coalesce(c.total, 0);
    when 'sessions of users' then return query
      select coalesce(t.user_id, c.user_id)::text, coalesce(t.sessions, 0)::text, coalesce(c.total, 0)::text
      from private.user_totals t
      full join (select s.user_id, count(*) as total from public.user_sessions s group by s.user_id) c using (user_id)
      where coalesce(t.sessions, 0) <> coalesce(c.total, 0);
    when 'orders of users' then return query
      select coalesce(t.user_id, c.user_id)::text, format('%s, %s cents', coalesce(t.orders, 0), coalesce(t.spent_cents, 0)),
        format('%s, %s cents', coalesce(c.total, 0), coalesce(c.spent, 0))
      from private.user_totals t
      full join (
        select o.user_id, count(*) as total, sum(o.total_cents - o.refunded_cents) as spent
        from public.orders o where private.counts_as_paid(o.status) group by o.user_id
      ) c using (user_id)
      where (coalesce(t.orders, 0), coalesce(t.spent_cents, 0)) <> (coalesce(c.total, 0), coalesce(c.spent, 0));
    when 'names of public designs' then return query
      select p.design_id::text, p.name, d.name
      from public.public_designs p join public.designs d on d.id = p.design_id where d.name <> p.name;
  end case;
end;
$$;
comment on function private.wrong_totals(text) is 'What a kind of total holds and what its rows come to, where these differ.';

create function public.check_next_total() returns table (
  kind text, wrong_rows bigint, of_row text, held text, counted text
)
language plpgsql security definer set search_path = '' set statement_timeout = '10min' as $$
#variable_conflict use_column
declare
  due text;
begin
  -- again in an hour, if the caller cannot report what it hears
  update private.total_checks c set next_at = now() + interval '1 hour'
  where c.kind = (
    select t.kind from private.total_checks t where t.next_at <= now() order by t.next_at, t.kind limit 1
    for update skip locked
  )
  returning c.kind into due;
  if due is null then return; end if;
  return query
    select due, count(w.counted), (array_agg(w.of_row order by w.of_row))[1], (array_agg(w.held order by w.of_row))[1],
      (array_agg(w.counted order by w.of_row))[1]
    from private.wrong_totals(due) w;
end;
$$;
comment on function public.check_next_total() is
  'Compares the kind of total that is due with its rows: how many differ, and the first that does. Nothing when none is due.';

create function public.finish_total_check(of_kind text) returns void
language sql security definer set search_path = '' as $$
  update private.total_checks c
  set next_at = (date_trunc('day', now() at time zone 'utc') + interval '27 hours') at time zone 'utc'
  where c.kind = of_kind;
$$;
comment on function public.finish_total_check(text) is 'The outcome was reported: the next check is at three in the morning (UTC).';

create function private.recount() returns void
language plpgsql set search_path = '' as $$
begin
  -- Writers wait, so that no change falls between counting and storing.
  lock table public.designs, public.public_designs, public.design_likes, public.orders, public.user_sessions, private.profiles
    in share row exclusive mode;
  delete from private.totals;
  insert into private.totals select c.* from private.counted_totals() c;
  delete from private.design_like_totals;
  insert into private.design_like_totals (design_id, likes)
  select l.design_id, count(*) from public.design_likes l group by l.design_id;
  delete from private.user_totals;
  insert into private.user_totals (user_id, orders, spent_cents, designs, sessions)
  select p.id, coalesce(o.total, 0), coalesce(o.spent, 0), coalesce(d.total, 0), coalesce(s.total, 0)
  from private.profiles p
  left join (
    select user_id, count(*) as total, sum(total_cents - refunded_cents) as spent
    from public.orders where private.counts_as_paid(status) group by user_id
  ) o on o.user_id = p.id
  left join (select user_id, count(*) as total from public.designs group by user_id) d on d.user_id = p.id
  left join (select user_id, count(*) as total from public.user_sessions group by user_id) s on s.user_id = p.id;
  update public.public_designs p set name = d.name from public.designs d where d.id = p.design_id and d.name <> p.name;
end;
$$;
comment on function private.recount() is
  'Counts every total anew: for rows that were loaded past the triggers, and for what the nightly check reported. Call it as postgres.';

revoke all on function private.counted_totals(), private.wrong_totals(text), private.recount(), public.check_next_total(),
  public.finish_total_check(text) from public;
grant execute on function public.check_next_total(), public.finish_total_check(text) to service_role;

-- Rows that were there before these migrations.
select private.recount();
