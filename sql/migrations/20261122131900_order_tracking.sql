-- An order's page for a visitor without an account: the bearer of the signed address from an e-mail sees how far the order is,
-- and nothing that a stranger could use. The function get-order-status checks the signature; here is what it may return.

create function private.order_steps(o public.orders) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'pending', o.created_at,
    'paid', o.paid_at,
    'processing', (
      select min(e.created_at) from public.order_events e
      where e.order_id = o.id and e.kind = 'status' and e.details ->> 'to' = 'processing'
    ),
    'shipped', o.shipped_at,
    'delivered', o.delivered_at,
    'cancelled', o.cancelled_at
  );
$$;
comment on function private.order_steps(public.orders) is 'When an order came to each status; null where it has not.';

create function private.has_problem(o public.orders) returns boolean
language sql stable set search_path = '' as $$
  select o.status in ('paid', 'processing') and exists (
    select from public.order_flags f
    where f.order_id = o.id and f.resolved_at is null and private.delays_parcel(f.reason)
  );
$$;
comment on function private.has_problem(public.orders) is 'Whether a person has to look at something that holds up the parcel.';
revoke all on function private.order_steps(public.orders), private.has_problem(public.orders) from public;

create function public.get_order_progress(of_order uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('steps', private.order_steps(o), 'has_problem', private.has_problem(o))
  from public.orders o
  where o.id = of_order and o.user_id = (select auth.uid());
$$;
comment on function public.get_order_progress(uuid) is
  'What an order''s events and flags tell its owner, who may read neither; null for everybody else.';
revoke all on function public.get_order_progress(uuid) from public;
grant execute on function public.get_order_progress(uuid) to authenticated;

create function public.get_tracked_order(of_order uuid, version integer, valid_days integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'order_id', o.id,
    'status', o.status,
    'steps', private.order_steps(o),
    'has_problem', private.has_problem(o),
    'shipping_cents', o.shipping_cents,
    'total_cents', o.total_cents,
    'refunded_cents', o.refunded_cents,
    'refunded_at', o.refunded_at,
    'lost_cents', o.lost_cents,
    'is_held', o.held_at is not null,
    'carrier', o.carrier,
    'tracking_number', o.tracking_number,
    'tracking_url', o.tracking_url,
    'first_name', o.shipping_address::jsonb ->> 'first_name',
    'city', o.shipping_address::jsonb ->> 'city',
    'country', o.shipping_address::jsonb ->> 'country',
    'items', (
      select jsonb_agg(
        jsonb_build_object(
          'name', i.product_name, 'color', i.product_color, 'size', i.product_size, 'quantity', i.quantity,
          'unit_price_cents', i.unit_price_cents, 'image_url', i.product_image_url
        )
        order by i.product_name, i.product_color, i.printify_variant_id
      )
      from public.order_items i where i.order_id = o.id
    )
  )
  from public.orders o
  where o.id = of_order and o.link_version = version
    and o.updated_at > now() - make_interval(days => valid_days);
$$;
comment on function public.get_tracked_order(uuid, integer, integer) is
  'What the bearer of an order''s signed address sees; null when there is no such order, the address was revoked, or nothing '
  'has changed for valid_days. Deliberately without street, e-mail, phone, account and the ids at Stripe and Printify.';

create function public.revoke_order_link(of_order uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  update public.orders o set link_version = o.link_version + 1 where o.id = of_order;
  if not found then
    raise exception 'There is no such order.' using errcode = 'P0002';
  end if;
  perform private.add_event(of_order, 'link_revoked', '{}', (select auth.uid()));
end;
$$;
comment on function public.revoke_order_link(uuid) is
  'For admins: the signed addresses that were mailed for this order end; the next e-mail carries a new one.';

revoke all on function public.get_tracked_order(uuid, integer, integer), public.revoke_order_link(uuid) from public;
grant execute on function public.get_tracked_order(uuid, integer, integer) to service_role;
grant execute on function public.revoke_order_link(uuid) to authenticated;
