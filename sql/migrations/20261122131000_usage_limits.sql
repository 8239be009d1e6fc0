-- What one user, and all of them together, may spend of the shop's money: images, print products, imports, orders.
--
-- A function reserves before it calls a vendor, completes the reservation once it has a result, and gives it back when
-- there is none: failed and refused pictures do not count. The limits are settings of the functions and come as
-- arguments; counting and deciding happen here, under a lock, so that parallel requests cannot pass a limit together.

create table private.usage_events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete set null,
  kind text not null check (kind in ('picture', 'print_product', 'import', 'order')),
  reserved_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > reserved_at),
  completed_at timestamptz
);
comment on table private.usage_events is
  'One row for each picture, print product, import and order of the last day: those that were made, and those that are being '
  'made. Not granted to any API role: reserve_usage, complete_usage and release_usage are the way in.';
comment on column private.usage_events.user_id is
  'Null for the service''s own calls. An account that is deleted leaves its rows: the shop has paid for them.';
comment on column private.usage_events.expires_at is
  'When a reservation that was never completed stops counting: the process that made it has died.';

-- the newest of one user, and of all
create index usage_events_user_id_idx on private.usage_events (user_id, kind, reserved_at desc);
create index usage_events_kind_idx on private.usage_events (kind, reserved_at desc);

alter table private.usage_events enable row level security;  -- and no policy: only the owner gets in

create function private.usage_open_at(of_user uuid, usage_kind text, usage_limit integer, period interval)
returns timestamptz
language sql volatile set search_path = '' as $$
  -- The limit-th newest event decides: when it leaves the period, fewer than the limit remain.
  select e.reserved_at + period
  from private.usage_events e
  where e.kind = usage_kind
    and (of_user is null or e.user_id = of_user)
    and e.reserved_at > clock_timestamp() - period
    and (e.completed_at is not null or e.expires_at > clock_timestamp())
  order by e.reserved_at desc
  offset greatest(usage_limit, 1) - 1 limit 1;
$$;
comment on function private.usage_open_at(uuid, text, integer, interval) is
  'When usage_limit events in the last period become fewer; null while they are fewer. Without a user it counts those of all.';

create function public.reserve_usage(
  of_user uuid, usage_kind text, per_hour integer, per_day integer, shop_per_day integer, lease_seconds integer
) returns table (reservation uuid, reached text, open_at timestamptz)
language plpgsql security definer set search_path = '' as $$
begin
  -- One reservation of a kind at a time: the shop's ceiling counts all users', so a lock for each user is too narrow.
  perform pg_advisory_xact_lock(hashtextextended('private.usage_events ' || usage_kind, 0));
  delete from private.usage_events e where e.kind = usage_kind and e.reserved_at < clock_timestamp() - interval '1 day';

  if least(per_hour, per_day, shop_per_day) < 1 then
    reached := 'closed';
    return next;
    return;
  end if;
  select l.name, l.at into reached, open_at
  from (
    select 'hour' as name, private.usage_open_at(of_user, usage_kind, per_hour, interval '1 hour') as at
    where of_user is not null
    union all
    select 'day', private.usage_open_at(of_user, usage_kind, per_day, interval '1 day') where of_user is not null
    union all
    select 'shop', private.usage_open_at(null, usage_kind, shop_per_day, interval '1 day')
  ) l
  where l.at is not null
  order by l.at desc limit 1;

  if reached is null then
    insert into private.usage_events as e (user_id, kind, reserved_at, expires_at)
    values (of_user, usage_kind, clock_timestamp(), clock_timestamp() + make_interval(secs => lease_seconds))
    returning e.id into reservation;
  end if;
  return next;
end;
$$;
comment on function public.reserve_usage(uuid, text, integer, integer, integer, integer) is
  'A reservation; or which limit is reached (hour, day, shop) and when it is open again, the latest where several are; or '
  'closed, where a limit is 0. Without a user only the shop''s limit counts.';

create function public.complete_usage(reservation uuid) returns void
language sql security definer set search_path = '' as $$
  update private.usage_events e set completed_at = clock_timestamp() where e.id = complete_usage.reservation;
$$;
comment on function public.complete_usage(uuid) is 'It was made, so it counts for a day from when it was reserved.';

create function public.release_usage(reservation uuid) returns void
language sql security definer set search_path = '' as $$
  delete from private.usage_events e where e.id = release_usage.reservation and e.completed_at is null;
$$;
comment on function public.release_usage(uuid) is 'Nothing was made, so nothing counts.';

revoke all on function private.usage_open_at(uuid, text, integer, interval),
  public.reserve_usage(uuid, text, integer, integer, integer, integer),
  public.complete_usage(uuid), public.release_usage(uuid) from public;
grant execute on function public.reserve_usage(uuid, text, integer, integer, integer, integer),
  public.complete_usage(uuid), public.release_usage(uuid) to service_role;
