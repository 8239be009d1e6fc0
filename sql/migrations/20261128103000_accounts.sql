-- Accounts that end, and what a person may take along.
--
-- An account ends in two steps, because Auth deletes users and the shop knows what must not go with them. close_account takes
-- the orders away from the account, in one transaction, and notes that it is closing; the function delete-account then has Auth
-- delete the user, and everything that hangs on it goes by its keys. Whatever stops in between, the sweep deletes what is closing.

alter table private.profiles add column closing_at timestamptz;
comment on column private.profiles.closing_at is
  'Since when the account is being deleted: it orders nothing any more, and the sweep finishes what was left.';
create index profiles_closing_at_idx on private.profiles (closing_at) where closing_at is not null;

-- Orders without an account ----------------------------------------------------------------------------------------------

-- The key stays `on delete restrict`: an account that is deleted past close_account, with orders, is refused as before.
alter table public.orders alter column user_id drop not null;
alter table public.orders add constraint orders_without_account_ended_check
  check (user_id is not null or status in ('shipped', 'delivered', 'cancelled'));
comment on column public.orders.user_id is 'Who ordered; null once that account was deleted, which waits until the parcel was sent.';

-- A signed address ends when nothing has changed for long (…_order_tracking.sql): an account that ends is no news of the order.
drop trigger touch_updated_at on public.orders;
create trigger touch_updated_at before update on public.orders
  for each row when (old.user_id is not distinct from new.user_id) execute function private.touch_updated_at();

create or replace function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  by_person boolean := current_user in ('anon', 'authenticated');
begin
  -- Vendors act on what was committed here, so it must be on disk, even if the server's default is asynchronous.
  perform set_config('synchronous_commit', 'on', true);
  if (new.id, new.subtotal_cents, new.shipping_cents, new.currency, new.cart_key, new.created_at)
     is distinct from
     (old.id, old.subtotal_cents, old.shipping_cents, old.currency, old.cart_key, old.created_at)
     -- close_account alone, with its owner's rights
     or new.user_id is distinct from old.user_id
       and (new.user_id is not null or current_user in ('anon', 'authenticated', 'service_role')) then
    raise exception 'An order''s costs and owner never change.' using errcode = '23514';
  end if;
  if new.status <> old.status then
    if not (
      (old.status = 'pending' and new.status in ('paid', 'cancelled'))
      or (old.status = 'paid' and new.status in ('processing', 'shipped', 'cancelled'))
      or (old.status = 'processing' and new.status in ('shipped', 'cancelled'))
      or (old.status = 'shipped' and new.status = 'delivered')
    ) then
      raise exception 'An order cannot go from % to %.', old.status, new.status using errcode = '23514';
    end if;
    if by_person and new.status = 'paid' then
      raise exception 'Only the payment provider''s word makes an order paid.' using errcode = '42501';
    end if;
    if by_person and new.status = 'cancelled' then
      raise exception 'Orders are cancelled with their payment and print order, not by hand.' using errcode = '42501';
    end if;
    case new.status
      when 'paid' then new.paid_at := coalesce(new.paid_at, now());
      when 'shipped' then new.shipped_at := coalesce(new.shipped_at, now());
      when 'delivered' then new.delivered_at := coalesce(new.delivered_at, now());
      when 'cancelled' then new.cancelled_at := coalesce(new.cancelled_at, now());
      else null;
    end case;
  end if;
  return new;
end;
$$;
comment on function private.guard_order() is
  'An order''s legal steps, for every role: amounts are fixed, the owner too until the account ends, paid comes from payments '
  'only, cancelled from cancellations only.';

create function private.refuse_closing_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The lock waits for a close_account that is under way, and makes one that comes now wait for this order.
  if (select p.closing_at from private.profiles p where p.id = new.user_id for share) is not null then
    raise exception 'This account is being deleted.' using errcode = '23514';
  end if;
  return new;
end;
$$;
comment on function private.refuse_closing_account() is 'An account that is being deleted orders nothing.';
revoke all on function private.refuse_closing_account() from public;
create trigger refuse_closing_account before insert on public.orders
  for each row execute function private.refuse_closing_account();

-- Closing ----------------------------------------------------------------------------------------------------------------

create function public.list_unfinished_orders(person uuid) returns table (id uuid, status text)
language sql stable security definer set search_path = '' as $$
  select o.id, o.status from public.orders o
  where o.user_id = person and o.status in ('pending', 'paid', 'processing')
  order by o.created_at limit 100;
$$;
comment on function public.list_unfinished_orders(uuid) is
  'What an account''s deletion waits for, oldest first: orders that are not paid, which are to be closed, and those not sent.';

create function public.close_account(person uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  closing private.profiles;
begin
  perform set_config('synchronous_commit', 'on', true);
  -- In one order, and admins all: the last two cannot leave at once.
  perform from private.profiles p where p.id = person or p.is_admin order by p.id for update;
  select p.* into closing from private.profiles p where p.id = person;
  if closing.id is null then
    return 'gone';
  end if;
  if closing.is_admin and not exists (
    select from private.profiles p where p.is_admin and p.id <> person and p.closing_at is null
  ) then
    return 'last_admin';
  end if;
  if exists (select from public.list_unfinished_orders(person)) then
    return 'orders';
  end if;

  perform private.add_event(o.id, 'account_deleted') from public.orders o where o.user_id = person;
  update public.orders o set user_id = null where o.user_id = person;
  update private.user_totals t set orders = 0, spent_cents = 0 where t.user_id = person;
  -- uploads have no key to the account (…_design_pictures.sql); again later: one may be under way
  with begun as (delete from public.design_uploads u where u.user_id = person returning u.id)
  insert into private.object_tasks (kind, bucket, name, due_at)
  select 'remove', 'designs', person::text || '/' || b.id::text || '/' || file, now() + pause
  from begun b, unnest(array['picture.png', 'thumbnail.jpg']) as file,
    unnest(array[interval '0', interval '10 minutes']) as pause;
  update private.profiles p set closing_at = coalesce(p.closing_at, now()), is_admin = false where p.id = person;
  return 'closing';
end;
$$;
comment on function public.close_account(uuid) is
  'The first step of deleting an account: closing, when Auth may delete the user now; orders, when some are not sent or not closed '
  'yet; last_admin, who would leave the shop without one; gone. Repeated it does the same again.';

create function public.list_closing_accounts(most integer, waiting_seconds integer default 60) returns table (id uuid)
language sql stable security definer set search_path = '' as $$
  select p.id from private.profiles p
  where p.closing_at < now() - make_interval(secs => waiting_seconds) order by p.closing_at limit least(list_closing_accounts.most, 100);
$$;
comment on function public.list_closing_accounts(integer, integer) is
  'Accounts whose deletion was left half done so long ago: for the sweep, and for the check whether it gets them done.';

-- Signing in ---------------------------------------------------------------------------------------------------------------

create function public.has_password() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((select u.encrypted_password <> '' from auth.users u where u.id = (select auth.uid())), false);
$$;
comment on function public.has_password() is
  'Whether the caller''s own account has a password: the profile then asks for it, else for a mailed code.';

-- A copy of everything -----------------------------------------------------------------------------------------------------

create function public.export_account(person uuid, most integer default 10000) returns jsonb
language sql stable security definer set search_path = '' set enable_seqscan = off as $$
  select jsonb_build_object(
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
        'given_at_sign_up', u.raw_user_meta_data,
        'ways_to_sign_in', u.raw_app_meta_data -> 'providers'
      ) from auth.users u where u.id = person
    ),
    'profile', (
      select jsonb_build_object(
        'name', p.name, 'username', p.username, 'public_name', p.public_name, 'is_admin', p.is_admin,
        'created_at', p.created_at
      ) from private.profiles p where p.id = person
    ),
    'sign_ins', (
      select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.login_at desc), '[]')
      from (select * from public.user_sessions v where v.user_id = person order by v.login_at desc limit most) s
    ),
    'designs', (
      select coalesce(jsonb_agg(to_jsonb(d) order by d.created_at desc), '[]')
      from (
        select e.id, e.name, e.selected_colors, e.printify_product_id, e.created_at, e.updated_at, e.image_url, e.thumbnail_url,
          e.image_data is not null as row_holds_picture,
          (select p.created_at from public.public_designs p where p.design_id = e.id) as public_since,
          (select l.key from private.design_links l where l.design_id = e.id) as link_key,
          (
            select t.reason from private.design_takedowns t
            where t.design_id = e.id and t.decision = 'take_down' and t.restored_at is null
          ) as taken_down_for
        from public.designs e where e.user_id = person order by e.created_at desc limit most
      ) d
    ),
    'unsaved_uploads', (
      select coalesce(jsonb_agg(to_jsonb(u) - 'user_id' order by u.created_at desc), '[]')
      from public.design_uploads u where u.user_id = person
    ),
    'drawings_of_the_last_day', (
      select coalesce(jsonb_agg(to_jsonb(j) order by j.created_at desc), '[]')
      from (
        select k.id, k.kind, k.state, k.design_id, k.request, k.result, k.result_path, k.error, k.created_at, k.finished_at
        from public.design_jobs k where k.user_id = person order by k.created_at desc limit most
      ) j
    ),
    'counted_for_limits', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', e.kind, 'at', e.reserved_at) order by e.reserved_at desc), '[]')
      from private.usage_events e where e.user_id = person
    ),
    'likes', (
      select coalesce(jsonb_agg(to_jsonb(l) - 'user_id' order by l.created_at desc), '[]')
      from (select * from public.design_likes k where k.user_id = person order by k.created_at desc limit most) l
    ),
    'addresses', (
      select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' order by a.created_at desc), '[]')
      from (select * from public.user_addresses b where b.user_id = person order by b.created_at desc limit most) a
    ),
    'orders', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'id', o.id, 'status', o.status, 'total', o.total, 'currency', o.currency,
          'subtotal_cents', o.subtotal_cents, 'shipping_cents', o.shipping_cents, 'refunded_cents', o.refunded_cents,
          'shipping_address', o.shipping_address::jsonb, 'steps', private.order_steps(o),
          'carrier', o.carrier, 'tracking_number', o.tracking_number, 'tracking_url', o.tracking_url,
          'payment', o.payment_intent_id, 'print_order', o.printify_order_id,
          'items', (
            select jsonb_agg(to_jsonb(i) - 'order_id' - 'unit_price' order by i.created_at, i.id)
            from public.order_items i where i.order_id = o.id
          ),
          'messages', (
            select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'sent_at', m.sent_at) order by m.created_at), '[]')
            from public.order_messages m
            where m.order_id = o.id and m.channel = 'mail' and m.sent_at is not null and m.kind not like 'notice\_%'
          )
        ) order by o.created_at desc), '[]')
      from (select * from public.orders p where p.user_id = person order by p.created_at desc limit most) o
    ),
    'most_of_each', most
  );
$$;
comment on function public.export_account(uuid, integer) is
  'All rows of one person, newest first, not more than `most` of each kind, without the pictures: the function export-account '
  'adds these. Deliberately absent: the password''s hash, notices to the shop''s owner, how a picture is drawn (seed and steps), and '
  'which design a copy was made of, whose id is its link.';

-- Each try of a password before a deletion counts, and each copy.
alter table private.usage_events drop constraint usage_events_kind_check;
alter table private.usage_events add constraint usage_events_kind_check
  check (kind in ('picture', 'print_product', 'import', 'order', 'export', 'deletion', 'artwork', 'scene'));
comment on table private.usage_events is
  'One row for each picture, print product, import, order, scene, picture brought along, copy of an account and wrong password at its '
  'deletion of the last day: those that were made, and those that are being made. Not granted to any API role: reserve_usage, complete_usage and release_usage are the way in.';

revoke all on function public.list_unfinished_orders(uuid), public.close_account(uuid),
  public.list_closing_accounts(integer, integer), public.has_password(), public.export_account(uuid, integer) from public;
grant execute on function public.list_unfinished_orders(uuid), public.close_account(uuid),
  public.list_closing_accounts(integer, integer), public.export_account(uuid, integer) to service_role;
grant execute on function public.has_password() to authenticated;

-- The nightly check: orders of accounts that ended are in no person's totals.
create or replace function private.wrong_totals(kind text) returns table (of_row text, held text, counted text)
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
        from public.orders o where private.counts_as_paid(o.status) and o.user_id is not null group by o.user_id
      ) c using (user_id)
      where (coalesce(t.orders, 0), coalesce(t.spent_cents, 0)) <> (coalesce(c.total, 0), coalesce(c.spent, 0));
    when 'names of public designs' then return query
      select p.design_id::text, p.name, d.name
      from public.public_designs p join public.designs d on d.id = p.design_id where d.name <> p.name;
  end case;
end;
$$;
