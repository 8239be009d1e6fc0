-- lite 0.10 encodes JSON arguments of functions twice when its database is Postgres: a list arrives as a string that
-- holds a list. These take the outer layer off, so that the rest can be tried.

alter function public.place_order(uuid, text, text, integer, integer, jsonb) set schema private;
create function public.place_order(
  buyer uuid, cart_key text, shipping_address text, subtotal_cents integer, shipping_cents integer, items jsonb
) returns setof public.orders
language sql security definer set search_path = '' as $$
  select * from private.place_order(
    buyer, cart_key, shipping_address, subtotal_cents, shipping_cents, (items #>> '{}')::jsonb
  );
$$;
revoke all on function public.place_order(uuid, text, text, integer, integer, jsonb) from public;
grant execute on function public.place_order(uuid, text, text, integer, integer, jsonb) to service_role;

alter function public.note_order_event(uuid, text, jsonb) set schema private;
create function public.note_order_event(of_order uuid, event_kind text, about jsonb) returns void
language sql security definer set search_path = '' as $$
  select private.note_order_event(of_order, event_kind, (about #>> '{}')::jsonb);
$$;
revoke all on function public.note_order_event(uuid, text, jsonb) from public;
grant execute on function public.note_order_event(uuid, text, jsonb) to service_role;
