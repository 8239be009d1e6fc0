-- Orders that need a person: what the admin panel lists and shows of them, and how a flag is resolved. Jobs and messages are
-- tables without a policy; admins read them through these functions, which check the caller themselves (private.require_admin).

create function public.list_flagged_orders(most integer default 50) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    -- counted no further than a person reads
    'total', (
      select count(*) from (
        select distinct f.order_id from public.order_flags f where f.resolved_at is null limit 1000
      ) flagged
    ),
    'orders', coalesce((
      select jsonb_agg(to_jsonb(l) - 'flag' order by l.since, l.flag)
      from (
        select o.id, f.id as flag, f.created_at as since, o.status, o.total,
          concat_ws(' ', o.shipping_address::jsonb ->> 'first_name', o.shipping_address::jsonb ->> 'last_name') as customer,
          (
            select array_agg(e.reason order by e.created_at, e.id) from public.order_flags e
            where e.order_id = o.id and e.resolved_at is null
          ) as reasons
        from public.order_flags f
        join public.orders o on o.id = f.order_id
        where f.resolved_at is null and not exists (
          select from public.order_flags e
          where e.order_id = f.order_id and e.resolved_at is null and (e.created_at, e.id) < (f.created_at, f.id)
        )
        order by f.created_at, f.id
        limit least(greatest(list_flagged_orders.most, 1), 500)
      ) l
    ), '[]')
  );
end;
$$;
comment on function public.list_flagged_orders(integer) is
  'For admins: orders with open flags, longest waiting first, and how many there are (1,000 means that many or more).';

create function public.get_order_record(of_order uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'id', o.id, 'status', o.status, 'total', o.total, 'created_at', o.created_at, 'paid_at', o.paid_at,
      'refunded', o.refunded_cents / 100.0, 'cancel_requested_at', o.cancel_requested_at,
      'payment_intent_id', o.payment_intent_id, 'printify_order_id', o.printify_order_id,
      'shipping_address', o.shipping_address,
      'flags', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', f.id, 'reason', f.reason, 'details', f.details, 'created_at', f.created_at, 'resolved_at', f.resolved_at
        ) order by f.created_at, f.id)
        from public.order_flags f where f.order_id = o.id
      ), '[]'),
      'jobs', coalesce((
        select jsonb_agg(jsonb_build_object(
          'kind', j.kind, 'attempts', j.attempts, 'due_at', j.due_at, 'last_error', j.last_error, 'done_at', j.done_at,
          'gave_up_at', j.gave_up_at
        ) order by j.created_at, j.kind)
        from public.order_jobs j where j.order_id = o.id
      ), '[]'),
      'messages', coalesce((
        select jsonb_agg(jsonb_build_object(
          'channel', m.channel, 'kind', m.kind, 'attempts', m.attempts, 'due_at', m.due_at, 'last_error', m.last_error,
          'sent_at', m.sent_at, 'gave_up_at', m.gave_up_at
        ) order by m.created_at, m.kind)
        from public.order_messages m where m.order_id = o.id
      ), '[]'),
      'events', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', e.id, 'kind', e.kind, 'details', e.details, 'created_at', e.created_at,
          'actor', case
            when e.actor = o.user_id then 'the customer'
            when e.actor is not null then coalesce(nullif(trim(p.name), ''), nullif(trim(p.username), ''), 'an admin')
          end
        ) order by e.created_at, e.id)
        from (
          select n.* from public.order_events n where n.order_id = o.id order by n.created_at desc, n.id desc limit 200
        ) e
        left join private.profiles p on p.id = e.actor
      ), '[]')
    )
    from public.orders o where o.id = of_order
  );
end;
$$;
comment on function public.get_order_record(uuid) is
  'For admins: an order with its flags, jobs, messages and the newest 200 events of its audit trail; null when there is none.';

create function public.resolve_order_flags(of_order uuid, flags uuid[], note text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  reasons text[];
  said text := coalesce(trim(private.clean_text(resolve_order_flags.note)), '');
begin
  perform private.require_admin();
  if length(said) not between 1 and 500 or not private.is_visible_text(said) then
    raise exception 'Please write a note of 1 to 500 characters.' using errcode = '23514';
  end if;
  with resolved as (
    update public.order_flags f set resolved_at = now()
    where f.order_id = of_order and f.id = any (resolve_order_flags.flags) and f.resolved_at is null
    returning f.reason
  )
  select array_agg(r.reason order by r.reason) into reasons from resolved r;
  if reasons is null then
    return 0;
  end if;
  perform private.add_event(
    of_order, 'flags_resolved', jsonb_build_object('reasons', to_jsonb(reasons), 'note', said), (select auth.uid())
  );
  return cardinality(reasons);
end;
$$;
comment on function public.resolve_order_flags(uuid, uuid[], text) is
  'For admins: marks these flags of an order as resolved, with a note for the audit trail. Flags that were raised meanwhile '
  'stay open. Returns how many it resolved: none where another admin was first.';

revoke all on function public.list_flagged_orders(integer), public.get_order_record(uuid),
  public.resolve_order_flags(uuid, uuid[], text) from public;
grant execute on function public.list_flagged_orders(integer), public.get_order_record(uuid),
  public.resolve_order_flags(uuid, uuid[], text) to authenticated;
