-- An order's transitions: each locks the order's row, looks again, and does one thing with all that follows from it, in one
-- transaction. All callers (a browser's function, a webhook, the sweep, at once) get the same result; the second one
-- finds the transition done. All of them are for service_role alone and have their owner's rights, so that the tables
-- behind orders need no grants.

-- Placing: every figure and every id is looked up again here, so that no fault outside can undersell or sell what is
-- another's.
create function public.place_order(
  buyer uuid, cart_key text, shipping_address text, subtotal_cents integer, shipping_cents integer, items jsonb
) returns setof public.orders
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  prices jsonb := public.get_pricing();
  ships_free boolean := coalesce(prices -> 'free_shipping_countries' ? ((place_order.shipping_address::jsonb) ->> 'country'), false);
  placed public.orders;
begin
  insert into public.orders as o (user_id, cart_key, shipping_address, subtotal_cents, shipping_cents, total_cents)
  values (buyer, place_order.cart_key, place_order.shipping_address, place_order.subtotal_cents,
          place_order.shipping_cents, place_order.subtotal_cents + place_order.shipping_cents)
  on conflict (user_id, cart_key) where status = 'pending' do nothing
  returning * into placed;

  if placed.id is null then
    return query select o.* from public.orders o
      where o.user_id = buyer and o.cart_key = place_order.cart_key and o.status = 'pending'
        and o.cancel_requested_at is null;
    return;
  end if;
  -- Paid a moment ago, in another tab or by a request that was sent twice? Checked after the insert, which waits for a
  -- payment that is just being settled.
  if exists (
    select from public.orders o
    where o.user_id = buyer and o.cart_key = place_order.cart_key and o.status not in ('pending', 'cancelled')
      and o.paid_at > now() - interval '10 minutes'
  ) then
    delete from public.orders o where o.id = placed.id;
    return;
  end if;

  insert into public.order_items (
    order_id, design_id, product_variant_id, quantity, unit_price_cents, product_name, product_image_url,
    product_size, product_color, printify_product_id, printify_variant_id
  )
  select placed.id, i.design_id, i.product_variant_id, i.quantity, i.unit_price_cents, i.product_name,
         i.product_image_url, i.product_size, i.product_color, i.printify_product_id, i.printify_variant_id
  from jsonb_to_recordset(items) as i (
    design_id uuid, product_variant_id uuid, quantity integer, unit_price_cents integer, product_name text,
    product_image_url text, product_size text, product_color text, printify_product_id text, printify_variant_id integer
  );
  if (select coalesce(sum(i.quantity * i.unit_price_cents), 0) from public.order_items i where i.order_id = placed.id)
     <> placed.subtotal_cents then
    raise exception 'The items do not add up to the subtotal.' using errcode = '23514';
  end if;
  if placed.shipping_cents <> (case when ships_free then 0 else (prices ->> 'shipping_cents')::integer end)
     or exists (
       select from public.order_items i where i.order_id = placed.id
         and (i.unit_price_cents <> (prices ->> 'shirt_cents')::integer or i.quantity > (prices ->> 'most_per_size')::integer)
     ) then
    raise exception 'These are not our prices.' using errcode = '23514';
  end if;
  if exists (
    select from public.order_items i
    left join public.designs d on d.id = i.design_id and d.user_id = buyer and d.printify_product_id = i.printify_product_id
    left join public.product_variants v
      on v.id = i.product_variant_id and v.printify_variant_id = i.printify_variant_id and v.is_available
    where i.order_id = placed.id and (d.id is null or v.id is null)
  ) then
    raise exception 'An item is not the buyer''s design on a shirt that we sell.' using errcode = '23514';
  end if;
  return next placed;
end;
$$;
comment on function public.place_order(uuid, text, text, integer, integer, jsonb) is
  'Makes a pending order with its items in one transaction, or returns the pending order that this very cart already has, '
  'or nothing when this cart was paid within ten minutes. For functions: deliberately not granted to anon or authenticated.';
revoke all on function public.place_order(uuid, text, text, integer, integer, jsonb) from public;
grant execute on function public.place_order(uuid, text, text, integer, integer, jsonb) to service_role;

create function private.locked_order(of_order uuid) returns public.orders
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders;
begin
  perform set_config('synchronous_commit', 'on', true);  -- see private.guard_order
  select p.* into o from public.orders p where p.id = of_order for update;
  if not found then
    raise exception 'There is no order %.', of_order using errcode = 'P0002';
  end if;
  return o;
end;
$$;
revoke all on function private.locked_order(uuid) from public;

-- Payment -------------------------------------------------------------------------------------------------------------

create function public.settle_order(of_order uuid, intent text, received_cents integer, received_currency text)
returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if received_cents <> o.total_cents or received_currency <> o.currency then
    perform private.raise_flag(o.id, 'amount_mismatch', format('%s received %s %s', intent, received_cents, received_currency));
    return 'mismatch';
  end if;
  if o.paid_at is not null and o.payment_intent_id is distinct from intent then
    perform private.raise_flag(o.id, 'paid_twice', format('%s besides %s', intent, o.payment_intent_id));
    return 'paid_twice';
  end if;
  if o.status = 'cancelled' then
    if o.paid_at is null then  -- the card was faster than the cancellation: what came goes back
      update public.orders set paid_at = now(), payment_intent_id = intent where id = o.id;
      perform private.add_event(o.id, 'paid_after_cancellation', jsonb_build_object('intent', intent));
      perform private.add_job(o.id, 'refund');
    end if;
    return 'cancelled';
  end if;
  if o.status = 'pending' then
    update public.orders set status = 'paid', payment_intent_id = intent where id = o.id;
  end if;
  return 'paid';
end;
$$;
comment on function public.settle_order(uuid, text, integer, text) is
  'What Stripe says was paid becomes the order''s state: paid; mismatch and paid_twice (a person is called, the order '
  'stays as it is); cancelled (a refund is due).';

create function public.cancel_unpaid_order(of_order uuid, reason text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.status = 'pending' then
    perform private.add_event(o.id, 'payment_closed', jsonb_build_object('why', reason));
    update public.orders set status = 'cancelled' where id = o.id;
    return 'cancelled';
  end if;
  return o.status;
end;
$$;
comment on function public.cancel_unpaid_order(uuid, text) is 'Ends an order with an intent that can no longer be paid. Never touches a paid one.';

-- Printing ------------------------------------------------------------------------------------------------------------

create function public.begin_printing(of_order uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.printify_order_id is not null then return 'printed'; end if;
  if o.status = 'cancelled' or o.cancel_requested_at is not null then return 'cancelled'; end if;
  if o.paid_at is null then return 'unpaid'; end if;
  if o.held_at is not null then return 'held'; end if;
  update public.orders set print_requested_at = coalesce(print_requested_at, now()) where id = o.id;
  return 'go';
end;
$$;
comment on function public.begin_printing(uuid) is 'Whether the order may be submitted to the printer: go, printed already, cancelled, unpaid, held.';

create function public.finish_printing(of_order uuid, print_order text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.printify_order_id is null then
    update public.orders set printify_order_id = print_order where id = o.id;
    perform private.add_event(o.id, 'print_ordered', jsonb_build_object('printify_order_id', print_order));
    if o.status = 'cancelled' then
      perform private.add_job(o.id, 'stop_print');
    else
      perform private.add_job(o.id, 'track', now() + interval '20 seconds');
    end if;
  elsif o.printify_order_id <> print_order then
    perform private.raise_flag(o.id, 'printed_twice', format('%s besides %s', print_order, o.printify_order_id));
  end if;
  perform private.end_jobs(o.id, array['print']);
end;
$$;
comment on function public.finish_printing(uuid, text) is 'Stores the print order''s id, once, and starts its tracking.';

create function public.record_progress(
  of_order uuid, stage text, parcel_carrier text default null, parcel_number text default null, parcel_url text default null
) returns text
language plpgsql security definer set search_path = '' as $$
declare
  steps constant text[] := array['paid', 'processing', 'shipped', 'delivered'];
  o public.orders := private.locked_order(of_order);
  aim integer := array_position(steps, stage);
begin
  if aim is null or aim = 1 or o.paid_at is null then
    raise exception 'The printer cannot say % of an order that is %.', stage, o.status using errcode = '23514';
  end if;
  if o.status = 'cancelled' then
    perform private.raise_flag(o.id, 'printed_although_cancelled', 'The printer says ' || stage || '.');
    return o.status;
  end if;
  if parcel_number is not null or parcel_url is not null then
    update public.orders set
      carrier = left(coalesce(parcel_carrier, carrier), 100),
      tracking_number = left(coalesce(parcel_number, tracking_number), 100),
      tracking_url = case when parcel_url ~ '^https?://' then parcel_url else tracking_url end
    where id = o.id;
  end if;
  -- step by step, so that every status is passed and dated even when some of the printer's messages were lost
  for step in array_position(steps, o.status) + 1 .. aim loop
    update public.orders set status = steps[step] where id = o.id;
  end loop;
  if stage = 'delivered' then
    perform private.end_jobs(o.id, array['track']);
  end if;
  return (select p.status from public.orders p where p.id = o.id);
end;
$$;
comment on function public.record_progress(uuid, text, text, text, text) is
  'Moves an order up to processing, shipped or delivered as the printer says; never back. Returns its status.';

create function private.ask_printing(of_order uuid) returns void
language sql security definer set search_path = '' as $$
  select private.add_job(o.id, 'print') from public.orders o
  where o.id = of_order and o.status = 'paid' and o.printify_order_id is null
    and o.cancel_requested_at is null and o.held_at is null;
$$;
comment on function private.ask_printing(uuid) is 'The order is printed by the sweep, where nothing stands against it any more.';
revoke all on function private.ask_printing(uuid) from public;

-- Cancelling and refunding --------------------------------------------------------------------------------------------

create function private.ask_cancellation(of_order uuid, reason text, by_actor uuid, due timestamptz default now())
returns void
language sql security definer set search_path = '' as $$
  update public.orders set cancel_requested_at = now() where id = of_order;
  select private.add_event(of_order, 'cancellation_requested', jsonb_build_object('reason', reason), by_actor);
  select private.end_jobs(of_order, array['print']);  -- or it would fail until it is given up
  select private.add_job(of_order, 'cancel', due);
$$;
comment on function private.ask_cancellation(uuid, text, uuid, timestamptz) is
  'Nothing new is printed from here on, and the sweep cancels from `due` on.';
revoke all on function private.ask_cancellation(uuid, text, uuid, timestamptz) from public;

create function public.request_cancellation(of_order uuid, by_actor uuid, reason text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.status in ('pending', 'paid') and o.cancel_requested_at is null then
    perform private.ask_cancellation(o.id, reason, by_actor, now() + interval '1 minute');
  end if;
  return o.status;
end;
$$;
comment on function public.request_cancellation(uuid, uuid, text) is
  'From here on nothing new is printed; the sweep finishes what the caller leaves undone. Returns the order''s status.';

create function public.withdraw_cancellation(of_order uuid, reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.status <> 'cancelled' and o.cancel_requested_at is not null then
    update public.orders set cancel_requested_at = null where id = o.id;
    perform private.add_event(o.id, 'cancellation_refused', jsonb_build_object('reason', reason));
    perform private.end_jobs(o.id, array['cancel']);
    if o.refunded_cents > 0 then
      perform private.add_message(o.id, 'mail', 'refunded');
    end if;
    if o.refunded_cents >= o.total_cents then
      perform private.raise_flag(o.id, 'money_returned', format('It could not be cancelled: %s.', reason));
    end if;
    perform private.ask_printing(o.id);
  end if;
end;
$$;
comment on function public.withdraw_cancellation(uuid, text) is 'It was too late: the order goes on.';

create function public.cancel_order(of_order uuid, print_is_stopped boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.status = 'cancelled' then
    return o.status;
  end if;
  update public.orders set status = 'cancelled' where id = o.id;  -- guard_order refuses what was sent
  if o.paid_at is not null and o.refunded_cents < o.total_cents then
    perform private.add_job(o.id, 'refund');
  end if;
  if not print_is_stopped then
    perform private.add_job(o.id, 'stop_print', now() + interval '10 seconds');
  end if;
  return 'cancelled';
end;
$$;
comment on function public.cancel_order(uuid, boolean) is
  'Cancels, and owes what follows: the refund of what is left, and the print order''s end where it could not be ended yet.';

create function public.request_refund(of_order uuid, by_actor uuid, reason text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  o public.orders := private.locked_order(of_order);
begin
  if o.paid_at is null then return 'unpaid'; end if;
  if o.refunded_cents >= o.total_cents then return 'refunded'; end if;
  update public.orders set refund_reason = coalesce(refund_reason, left(reason, 500)) where id = o.id;
  perform private.add_event(o.id, 'refund_requested', jsonb_build_object('reason', left(reason, 500)), by_actor);
  perform private.add_job(o.id, 'refund');
  return 'due';
end;
$$;
comment on function public.request_refund(uuid, uuid, text) is 'Notes who refunds and why, before Stripe is asked.';

create function public.flag_order(of_order uuid, reason text, about text) returns void
language sql security definer set search_path = '' as $$
  select private.raise_flag(of_order, reason, about);
$$;
comment on function public.flag_order(uuid, text, text) is 'Flags an order for a person.';

create function public.note_order_event(of_order uuid, event_kind text, about jsonb) returns void
language sql security definer set search_path = '' as $$
  select private.add_event(of_order, event_kind, about);
$$;
comment on function public.note_order_event(uuid, text, jsonb) is 'Writes what a vendor said into the audit trail.';

create function public.note_vendor_event(from_vendor text, event_id text, event_type text, of_order uuid) returns void
language sql security definer set search_path = '' as $$
  select set_config('synchronous_commit', 'on', true);
  insert into public.vendor_events (vendor, id, type, order_id) values (from_vendor, event_id, left(event_type, 100), of_order)
  on conflict do nothing;
$$;
comment on function public.note_vendor_event(text, text, text, uuid) is 'Marks a webhook event as dealt with; call it last.';

revoke all on function public.settle_order(uuid, text, integer, text), public.cancel_unpaid_order(uuid, text),
  public.begin_printing(uuid), public.finish_printing(uuid, text),
  public.record_progress(uuid, text, text, text, text), public.request_cancellation(uuid, uuid, text),
  public.withdraw_cancellation(uuid, text), public.cancel_order(uuid, boolean),
  public.request_refund(uuid, uuid, text),
  public.flag_order(uuid, text, text), public.note_order_event(uuid, text, jsonb),
  public.note_vendor_event(text, text, text, uuid) from public;
grant execute on function public.settle_order(uuid, text, integer, text), public.cancel_unpaid_order(uuid, text),
  public.begin_printing(uuid), public.finish_printing(uuid, text),
  public.record_progress(uuid, text, text, text, text), public.request_cancellation(uuid, uuid, text),
  public.withdraw_cancellation(uuid, text), public.cancel_order(uuid, boolean),
  public.request_refund(uuid, uuid, text),
  public.flag_order(uuid, text, text), public.note_order_event(uuid, text, jsonb),
  public.note_vendor_event(text, text, text, uuid) to service_role;
