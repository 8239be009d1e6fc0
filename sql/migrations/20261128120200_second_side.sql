-- What the second side of a shirt costs, and what a person takes along of what they have drawn.

alter table private.price_list add column second_side_cents integer not null default 0 check (second_side_cents >= 0);

create or replace function public.set_pricing(prices jsonb) returns void
language sql security definer set search_path = '' as $$
  update private.price_list l set
    shirt_cents = n.shirt_cents, regular_shirt_cents = n.regular_shirt_cents, shipping_cents = n.shipping_cents,
    free_shipping_countries = n.free_shipping_countries, most_per_size = n.most_per_size,
    second_side_cents = coalesce(n.second_side_cents, 0), changed_at = now()
  from jsonb_populate_record(null::private.price_list, set_pricing.prices) n
  where l.only_row;
$$;

create function private.is_two_sided(product text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from public.design_versions v where v.printify_product_id = is_two_sided.product and v.has_back);
$$;
comment on function private.is_two_sided(text) is 'Whether a print product is printed on both sides. With the definer''s rights.';

create or replace function public.place_order(
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
         and (
           i.unit_price_cents <> (prices ->> 'shirt_cents')::integer
             + case when private.is_two_sided(i.printify_product_id) then (prices ->> 'second_side_cents')::integer else 0 end
           or i.quantity > (prices ->> 'most_per_size')::integer
         )
     ) then
    raise exception 'These are not our prices.' using errcode = '23514';
  end if;
  -- The lock waits for a version that is being made current: what is bought is what is shown.
  perform 1 from public.designs d
  where d.id in (select i.design_id from public.order_items i where i.order_id = placed.id) order by d.id for share;
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

revoke all on function private.is_two_sided(text) from public;
