-- The admin's figures about users. Spending is what was paid less what was refunded; a refunded parcel stays an order.

create function public.get_user_analytics() returns table (
  user_id uuid,
  name text,
  username text,
  is_admin boolean,
  total_orders bigint,
  total_spent numeric,
  total_designs bigint,
  total_sessions bigint,
  avg_session_duration_minutes numeric,
  last_login timestamptz,
  created_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if not private.is_admin() and current_setting('role') in ('anon', 'authenticated') then
    raise exception 'Only admins may see user analytics.' using errcode = '42501';
  end if;
  return query
  with logins as (
    select s.user_id, s.login_at, lead(s.login_at) over (partition by s.user_id order by s.login_at) as next_login_at
    from public.user_sessions s
  ),
  -- Browsers record sign-ins, not sign-outs: a session lasts until the last thing that the user did before signing in
  -- again, and at most a day.
  deeds as (
    select d.user_id, d.created_at as done_at from public.designs d
    union all select p.user_id, p.created_at from public.public_designs p
    union all select l.user_id, l.created_at from public.design_likes l
    union all select o.user_id, coalesce(o.paid_at, o.created_at) from public.orders o
  ),
  sessions as (
    select l.user_id, l.login_at, coalesce(extract(epoch from max(d.done_at) - l.login_at), 0) / 60 as minutes
    from logins l
    left join deeds d on d.user_id = l.user_id and d.done_at >= l.login_at
      and d.done_at < least(l.next_login_at, l.login_at + interval '1 day')
    group by l.user_id, l.login_at
  ),
  visits as (
    select s.user_id, count(*) as total, avg(s.minutes) as minutes, max(s.login_at) as last_login
    from sessions s group by s.user_id
  ),
  purchases as (
    select o.user_id, count(*) as total, sum(o.total - o.refunded_cents / 100.0) as spent
    from public.orders o where o.status not in ('pending', 'cancelled') group by o.user_id
  ),
  works as (
    select d.user_id, count(*) as total from public.designs d group by d.user_id
  )
  select p.id, p.name, p.username, p.is_admin,
    coalesce(b.total, 0), coalesce(b.spent, 0), coalesce(w.total, 0), coalesce(v.total, 0),
    round(coalesce(v.minutes, 0), 1), v.last_login, p.created_at
  from private.profiles p
  left join purchases b on b.user_id = p.id
  left join works w on w.user_id = p.id
  left join visits v on v.user_id = p.id
  order by p.created_at desc, p.id;
end;
$$;
comment on function public.get_user_analytics() is
  'One row per user for the admin panel. Orders and spending count what was paid for (not pending, not cancelled), less '
  'refunds. Raises 42501 unless the caller is an admin; deliberately not granted to anon.';
revoke all on function public.get_user_analytics() from public;
grant execute on function public.get_user_analytics() to authenticated, service_role;
