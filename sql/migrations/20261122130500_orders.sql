-- Orders: what was bought, what it cost, where it goes. Written by functions alone.

create table public.user_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  first_name text not null check (length(first_name) between 1 and 100),
  last_name text not null check (length(last_name) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  phone_country_code text not null check (length(phone_country_code) <= 8),
  phone text not null check (length(phone) <= 40),
  country text not null check (country ~ '^[A-Z]{2}$'),
  region text check (length(region) <= 100),
  address1 text not null check (length(address1) between 1 and 200),
  address2 text check (length(address2) <= 200),
  city text not null check (length(city) between 1 and 100),
  -- empty where a country has no postal codes
  zip text not null check (length(zip) <= 20),
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  constraint user_addresses_plain_text_check check (
    private.is_plain_text(
      concat_ws(' ', first_name, last_name, email, phone_country_code, phone, region, address1, address2, city, zip)
    )
  ),
  constraint user_addresses_visible_check check (
    private.is_visible_text(first_name) and private.is_visible_text(last_name) and private.is_visible_text(address1)
    and private.is_visible_text(city) and (zip = '' or private.is_visible_text(zip))
  )
);
-- Which countries are shipped to is deliberately not checked here: the list changes, a saved address only fills the form, and
-- every order's address is checked anew.
comment on table public.user_addresses is
  'Addresses saved at checkout. Deliberately not granted: update and delete (no screen does), and anything to admins '
  '(an order carries its own copy of the address).';
create index user_addresses_user_id_idx on public.user_addresses (user_id, is_default desc, created_at desc);
create unique index user_addresses_one_default_idx on public.user_addresses (user_id) where is_default;

alter table public.user_addresses enable row level security;
grant select on public.user_addresses to authenticated;
grant insert (
  user_id, first_name, last_name, email, phone_country_code, phone, country, region, address1, address2, city, zip, is_default
) on public.user_addresses to authenticated;
grant select, insert, update, delete on public.user_addresses to service_role;

create policy "users read their own addresses" on public.user_addresses
  for select to authenticated using (user_id = (select auth.uid()));
create policy "users save their own addresses" on public.user_addresses
  for insert to authenticated with check (user_id = (select auth.uid()));

create table public.orders (
  id uuid primary key default gen_random_uuid(),
  -- an account with orders cannot be deleted; GoTrue's soft delete blanks the user instead
  user_id uuid not null references auth.users (id) on delete restrict,
  status text not null default 'pending'
    check (status in ('pending', 'paid', 'processing', 'shipped', 'delivered', 'cancelled')),
  subtotal_cents integer not null check (subtotal_cents > 0),
  shipping_cents integer not null check (shipping_cents >= 0),
  total_cents integer not null check (total_cents = subtotal_cents + shipping_cents),
  total numeric(10, 2) not null generated always as (total_cents / 100.0) stored,
  currency text not null default 'usd' check (currency = 'usd'),
  shipping_address text not null check (jsonb_typeof(shipping_address::jsonb) = 'object'),
  cart_key text not null,
  payment_intent_id text unique,
  printify_order_id text unique,
  tracking_url text check (tracking_url ~ '^https?://'),
  tracking_number text check (length(tracking_number) <= 100),
  carrier text check (length(carrier) <= 100),
  paid_at timestamptz,
  confirmation_sent_at timestamptz,
  print_requested_at timestamptz,
  cancel_requested_at timestamptz,
  cancelled_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  refund_id text unique,
  refund_reason text check (length(refund_reason) <= 500),
  refunded_at timestamptz,
  refunded_cents integer not null default 0,
  lost_cents integer not null default 0,
  held_at timestamptz,
  money_version integer not null default 0,
  link_version integer not null default 1 check (link_version between 1 and 65535),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint orders_refund_within_total check (refunded_cents between 0 and total_cents),
  constraint orders_refund_of_a_payment check (refunded_cents = 0 or paid_at is not null),
  constraint orders_loss_within_refund check (lost_cents between 0 and refunded_cents),
  check (status in ('pending', 'cancelled') or paid_at is not null),
  check (printify_order_id is null or paid_at is not null)
);
comment on table public.orders is
  'One row per checkout: pending until the card company says paid. Deliberately not granted to users: insert, delete '
  'and every column but status and tracking, and those to admins alone. Functions write as service_role.';
comment on column public.orders.total_cents is 'What is charged. All amounts are integer cents; total is the same in dollars.';
comment on column public.orders.shipping_address is 'JSON text, as entered at checkout, with the spec''s address fields.';
comment on column public.orders.cart_key is 'Digest of design, items, price and address: the same cart tried again is the same pending order.';
comment on column public.orders.payment_intent_id is 'Stripe''s id. The client secret is never stored.';
comment on column public.orders.print_requested_at is 'Since when the printer may know this order: set before the call, so that a lost response is looked for.';
comment on column public.orders.cancel_requested_at is 'Since when nothing may be printed any more. Cleared when it was too late.';
comment on column public.orders.refunded_cents is 'What went back to the card, by refunds and lost disputes. It does not change the status: the parcel was shipped.';
comment on column public.orders.lost_cents is 'The part of refunded_cents that a bank took by a lost dispute.';
comment on column public.orders.held_at is 'Since when the payment is disputed: nothing goes to production until the bank has decided.';
comment on column public.orders.money_version is 'Counts what record_money has changed: an answer of Stripe that was read before is not written any more.';
comment on column public.orders.link_version is 'Which signed addresses of this order''s page are valid: see …_order_tracking.sql.';
comment on column public.orders.confirmation_sent_at is 'When the confirmation mail was sent.';
comment on column public.orders.printify_order_id is 'Set once the printer took the order. Its external_id there is our id.';

-- "my orders, newest first"
create index orders_user_id_created_at_idx on public.orders (user_id, created_at desc, id);
-- when a person did something last (analytics)
create index orders_user_id_paid_at_idx on public.orders (user_id, (coalesce(paid_at, created_at)) desc);
-- the admin's "new this week", and "latest order"
create index orders_created_at_idx on public.orders (created_at desc);
-- the admin's "latest with a print order"
create index orders_printed_created_at_idx on public.orders (created_at desc) where printify_order_id is not null;
-- a cart tried again while unpaid finds its order, however many tabs try at once
create unique index orders_one_pending_per_cart_idx on public.orders (user_id, cart_key) where status = 'pending';

create table public.order_items (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id) on delete cascade,
  -- a design may be deleted after it was bought; the item holds all that printing and reading need
  design_id uuid references public.designs (id) on delete set null,
  product_variant_id uuid references public.product_variants (id) on delete set null,
  quantity integer not null check (quantity between 1 and 10),
  unit_price_cents integer not null check (unit_price_cents > 0),
  unit_price numeric(10, 2) not null generated always as (unit_price_cents / 100.0) stored,
  product_name text not null,
  product_image_url text,
  product_size text not null,
  product_color text not null,
  printify_product_id text not null,
  printify_variant_id integer not null,
  created_at timestamptz not null default now(),
  unique (order_id, printify_product_id, printify_variant_id)
);
comment on table public.order_items is
  'What an order holds, copied at checkout so that later changes to designs or the catalog do not rewrite history. '
  'Deliberately not granted: any writing by users, admins included.';
create index order_items_design_id_idx on public.order_items (design_id);
create index order_items_product_variant_id_idx on public.order_items (product_variant_id);

create function private.guard_order() returns trigger
language plpgsql set search_path = '' as $$
declare
  by_person boolean := current_user in ('anon', 'authenticated');
begin
  -- Vendors act on what was committed here, so it must be on disk, even if the server's default is asynchronous.
  perform set_config('synchronous_commit', 'on', true);
  if (new.id, new.user_id, new.subtotal_cents, new.shipping_cents, new.currency, new.cart_key, new.created_at)
     is distinct from
     (old.id, old.user_id, old.subtotal_cents, old.shipping_cents, old.currency, old.cart_key, old.created_at) then
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
  'An order''s legal steps, for every role: amounts are fixed, paid comes from payments only, cancelled from cancellations only.';

create trigger guard_order before update on public.orders
  for each row execute function private.guard_order();
create trigger touch_updated_at before update on public.orders
  for each row execute function private.touch_updated_at();

alter table public.orders enable row level security;
alter table public.order_items enable row level security;
grant select on public.orders, public.order_items to authenticated;
grant update (status, tracking_number, tracking_url, carrier) on public.orders to authenticated;
grant select, insert, update, delete on public.orders, public.order_items to service_role;

create policy "users read their own orders" on public.orders
  for select to authenticated using (user_id = (select auth.uid()));
create policy "admins read all orders" on public.orders
  for select to authenticated using ((select private.is_admin()));
create policy "admins move orders on" on public.orders
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));
-- order_items follow their order: the inner query runs under the caller's own policies on orders
create policy "readers of an order read its items" on public.order_items
  for select to authenticated using (exists (select 1 from public.orders o where o.id = order_items.order_id));
