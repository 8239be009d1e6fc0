-- Totals: what pages show as a count and is not to be counted anew for each view.
--
-- Triggers hold them in the transaction that changes the rows, so a total is never behind. `check_next_total` compares each with
-- its rows every night, and the sweep reports what differs; `select private.recount()` mends it.

-- The shop's totals ----------------------------------------------------------------------------------------------------

create table private.totals (
  shard smallint primary key,
  users bigint not null default 0,
  designs bigint not null default 0,
  printable_designs bigint not null default 0,
  public_designs bigint not null default 0,
  paid_orders bigint not null default 0,
  spent_cents bigint not null default 0
) with (fillfactor = 50);
comment on table private.totals is
  'The shop''s totals are the sums over all rows. A connection adds to a row of its own, so that transactions at once do not wait '
  'for each other; and to one row alone, so that they never wait in a circle. Not granted to any API role.';
comment on column private.totals.spent_cents is 'What paid orders cost that were not cancelled, less what was refunded: the shop''s revenue.';
alter table private.totals enable row level security;  -- and no policy: only the owner gets in

create function private.add_to_totals(change private.totals) returns void
language sql security definer set search_path = '' as $$
  insert into private.totals as t
  values (
    pg_backend_pid() % 128, coalesce(change.users, 0), coalesce(change.designs, 0), coalesce(change.printable_designs, 0),
    coalesce(change.public_designs, 0), coalesce(change.paid_orders, 0), coalesce(change.spent_cents, 0)
  )
  on conflict (shard) do update set
    users = t.users + excluded.users,
    designs = t.designs + excluded.designs,
    printable_designs = t.printable_designs + excluded.printable_designs,
    public_designs = t.public_designs + excluded.public_designs,
    paid_orders = t.paid_orders + excluded.paid_orders,
    spent_cents = t.spent_cents + excluded.spent_cents;
$$;
comment on function private.add_to_totals(private.totals) is 'Adds to the row of this connection; a null adds nothing.';

-- Each person's totals --------------------------------------------------------------------------------------------------

create table private.user_totals (
  user_id uuid primary key references auth.users (id) on delete cascade,
  orders bigint not null default 0,
  spent_cents bigint not null default 0,
  designs bigint not null default 0,
  sessions bigint not null default 0
) with (fillfactor = 80);
comment on table private.user_totals is
  'One row per account, made with its profile: what the admin''s list of users shows and sorts by. Not granted to any API role.';
-- "most first"
create index user_totals_orders_idx on private.user_totals (orders desc, user_id);
create index user_totals_spent_cents_idx on private.user_totals (spent_cents desc, user_id);
create index user_totals_designs_idx on private.user_totals (designs desc, user_id);
create index user_totals_sessions_idx on private.user_totals (sessions desc, user_id);
alter table private.user_totals enable row level security;  -- and no policy: only the owner gets in

-- The likes of each design ------------------------------------------------------------------------------------------------

create table private.design_like_totals (
  design_id uuid primary key references public.designs (id) on delete cascade,
  likes bigint not null
) with (fillfactor = 80);
comment on table private.design_like_totals is
  'How many like a design; no row before the first like. A table of its own: a row of designs is announced to pages on every '
  'update, and one of public_designs comes and goes while likes stay. Not granted to any API role: read as like_count.';
alter table private.design_like_totals enable row level security;  -- and no policy: only the owner gets in

create function public.like_count(design public.public_designs) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce((select t.likes from private.design_like_totals t where t.design_id = design.design_id), 0);
$$;
comment on function public.like_count(public.public_designs) is
  'How many like a public design. A computed field of the API: a reader of the row may know the number.';
revoke all on function public.like_count(public.public_designs) from public;
grant execute on function public.like_count(public.public_designs) to anon, authenticated, service_role;

-- Triggers ------------------------------------------------------------------------------------------------------------

-- By statement, not by row: a design with thousands of likes that is deleted changes each total once.

create function private.count_profiles() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change private.totals;
begin
  if tg_op = 'INSERT' then
    insert into private.user_totals (user_id) select c.id from changed c on conflict do nothing;
    change.users := (select count(*) from changed);
  else
    change.users := -(select count(*) from changed);
  end if;
  perform private.add_to_totals(change);
  return null;
end;
$$;
create trigger count_inserted after insert on private.profiles
  referencing new table as changed for each statement execute function private.count_profiles();
create trigger count_deleted after delete on private.profiles
  referencing old table as changed for each statement execute function private.count_profiles();

create function private.count_designs() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  direction integer := case tg_op when 'INSERT' then 1 else -1 end;
  change private.totals;
begin
  select direction * count(*), direction * count(c.printify_product_id) into change.designs, change.printable_designs
  from changed c;
  if change.designs = 0 then return null; end if;
  update private.user_totals t set designs = t.designs + direction * c.total
  from (select user_id, count(*) as total from changed group by user_id order by user_id) c
  where t.user_id = c.user_id;
  perform private.add_to_totals(change);
  return null;
end;
$$;
create trigger count_inserted after insert on public.designs
  referencing new table as changed for each statement execute function private.count_designs();
create trigger count_deleted after delete on public.designs
  referencing old table as changed for each statement execute function private.count_designs();

create function private.count_print_product() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change private.totals;
begin
  change.printable_designs := case when new.printify_product_id is null then -1 else 1 end;
  perform private.add_to_totals(change);
  return null;
end;
$$;
create trigger count_print_product after update of printify_product_id on public.designs for each row
  when ((old.printify_product_id is null) <> (new.printify_product_id is null))
  execute function private.count_print_product();

create function private.count_public_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change private.totals;
begin
  change.public_designs := (select count(*) from changed) * case tg_op when 'INSERT' then 1 else -1 end;
  if change.public_designs <> 0 then
    perform private.add_to_totals(change);
  end if;
  return null;
end;
$$;
create trigger count_inserted after insert on public.public_designs
  referencing new table as changed for each statement execute function private.count_public_rows();
create trigger count_deleted after delete on public.public_designs
  referencing old table as changed for each statement execute function private.count_public_rows();

create function private.count_likes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- In the order of the keys, so that two statements over the same designs do not wait for each other in a circle.
  if tg_op = 'INSERT' then
    insert into private.design_like_totals as t (design_id, likes)
    select c.design_id, count(*) from changed c group by c.design_id order by c.design_id
    on conflict (design_id) do update set likes = t.likes + excluded.likes;
  else
    perform from private.design_like_totals t
    where t.design_id in (select c.design_id from changed c) order by t.design_id for no key update;
    update private.design_like_totals t set likes = t.likes - c.total
    from (select d.design_id, count(*) as total from changed d group by d.design_id) c
    where t.design_id = c.design_id;
  end if;
  return null;
end;
$$;
create trigger count_inserted after insert on public.design_likes
  referencing new table as changed for each statement execute function private.count_likes();
create trigger count_deleted after delete on public.design_likes
  referencing old table as changed for each statement execute function private.count_likes();

create function private.count_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.user_totals t set sessions = t.sessions + case tg_op when 'INSERT' then c.total else -c.total end
  from (select user_id, count(*) as total from changed group by user_id order by user_id) c
  where t.user_id = c.user_id;
  return null;
end;
$$;
create trigger count_inserted after insert on public.user_sessions
  referencing new table as changed for each statement execute function private.count_sessions();
create trigger count_deleted after delete on public.user_sessions
  referencing old table as changed for each statement execute function private.count_sessions();

create function private.counts_as_paid(status text) returns boolean
language sql immutable set search_path = '' as $$
  select status not in ('pending', 'cancelled');
$$;
comment on function private.counts_as_paid(text) is 'Money is in the till from ''paid'' on; what was cancelled is given back.';

create function private.count_order() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  change private.totals;
begin
  change.paid_orders := 0; change.spent_cents := 0;
  if tg_op <> 'INSERT' and private.counts_as_paid(old.status) then
    change.paid_orders := -1;
    change.spent_cents := old.refunded_cents - old.total_cents;
  end if;
  if tg_op <> 'DELETE' and private.counts_as_paid(new.status) then
    change.paid_orders := change.paid_orders + 1;
    change.spent_cents := change.spent_cents + new.total_cents - new.refunded_cents;
  end if;
  if (change.paid_orders, change.spent_cents) <> (0, 0) then
    update private.user_totals t
    set orders = t.orders + change.paid_orders, spent_cents = t.spent_cents + change.spent_cents
    where t.user_id = case tg_op when 'DELETE' then old.user_id else new.user_id end;
    perform private.add_to_totals(change);
  end if;
  return null;
end;
$$;
create trigger count_inserted after insert or delete on public.orders
  for each row execute function private.count_order();
create trigger count_updated after update of status, refunded_cents on public.orders for each row
  when (old.status <> new.status or old.refunded_cents <> new.refunded_cents) execute function private.count_order();

revoke all on function private.add_to_totals(private.totals), private.count_profiles(), private.count_designs(),
  private.count_print_product(), private.count_public_rows(), private.count_likes(), private.count_sessions(),
  private.counts_as_paid(text), private.count_order() from public;

-- The gallery's total ---------------------------------------------------------------------------------------------------

create function public.count_public_designs(search text default '') returns table (total bigint, is_exact boolean)
language plpgsql stable rows 1 security definer set search_path = '' set enable_seqscan = off as $$
declare
  sample constant integer := 2000;
  most constant integer := 1000;
  pattern text := private.contains_pattern(search);
  all_designs bigint := (select coalesce(sum(t.public_designs), 0) from private.totals t);
  looked_at bigint;
  hits bigint;
  estimate bigint;
begin
  if search = '' then
    return query select all_designs, true;
    return;
  end if;
  -- Ids are drawn at random: the lowest ones are of designs of all times, new and old.
  select count(*), count(*) filter (where n.name ilike pattern) into looked_at, hits
  from (select p.name from public.public_designs p order by p.id limit sample) n;
  if looked_at < sample then
    return query select hits, true;
    return;
  end if;
  estimate := all_designs * hits / sample;
  -- Perhaps so few that all of them can be counted, through the index.
  if estimate <= 2 * most then
    select count(*) into hits from (
      select from public.public_designs p
      where private.name_pieces(p.name) @> private.search_pieces(search) and p.name ilike pattern
      limit most + 1
    ) p;
    if hits <= most then
      return query select hits, true;
      return;
    end if;
    estimate := greatest(estimate, most);
  end if;
  return query select round(estimate::numeric, 2 - length(estimate::text))::bigint, false;
end;
$$;
comment on function public.count_public_designs(text) is
  'How many designs are public; with words, how many of them contain these in their names. Exact where at most 1,000 do, else '
  'estimated from 2,000 of them, in two figures.';
revoke all on function public.count_public_designs(text) from public;
grant execute on function public.count_public_designs(text) to anon, authenticated, service_role;
