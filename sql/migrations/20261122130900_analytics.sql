-- The admin's figures. Spending is what was paid less what was refunded; a refunded parcel stays an order. Counts over
-- all rows are in the totals (a later migration); here no function reads more than a page of users, or a week.

create function private.require_admin() returns void
language plpgsql stable set search_path = '' as $$
begin
  if not private.is_admin() and current_setting('role') in ('anon', 'authenticated') then
    raise exception 'Only admins may do this.' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_admin() is 'Raises 42501 for people who are no admins; trusted roles pass.';
revoke all on function private.require_admin() from public;

create function private.session_minutes(person uuid) returns numeric
language sql stable set search_path = '' as $$
  -- Browsers record sign-ins, not sign-outs: a session lasts until the last thing that the user did before signing in
  -- again, and at most a day.
  select sum(coalesce(extract(epoch from greatest(
    (select max(d.created_at) from public.designs d
     where d.user_id = person and d.created_at >= s.login_at and d.created_at < s.ends_at),
    (select max(p.created_at) from public.public_designs p
     where p.user_id = person and p.created_at >= s.login_at and p.created_at < s.ends_at),
    (select max(l.created_at) from public.design_likes l
     where l.user_id = person and l.created_at >= s.login_at and l.created_at < s.ends_at),
    (select max(coalesce(o.paid_at, o.created_at)) from public.orders o
     where o.user_id = person and coalesce(o.paid_at, o.created_at) >= s.login_at
       and coalesce(o.paid_at, o.created_at) < s.ends_at)
  ) - s.login_at), 0) / 60)
  from (
    select v.login_at,
      least(lead(v.login_at) over (order by v.login_at), v.login_at + interval '1 day') as ends_at
    from public.user_sessions v where v.user_id = person
  ) s;
$$;
comment on function private.session_minutes(uuid) is 'How long all sessions of one person lasted together.';
revoke all on function private.session_minutes(uuid) from public;

create function public.get_user_analytics(
  sort text default 'created_at', role text default 'all', search text default '', page_size integer default 1000
) returns table (
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
declare
  sorted_by text := case get_user_analytics.sort
    when 'created_at' then 'p.created_at desc, p.id'
    when 'created_at_asc' then 'p.created_at, p.id desc'
    when 'name' then 'p.sort_name, p.id'
    when 'name_desc' then 'p.sort_name desc, p.id desc'
    when 'total_orders' then 't.orders desc, t.user_id'
    when 'total_spent' then 't.spent_cents desc, t.user_id'
    when 'total_designs' then 't.designs desc, t.user_id'
    when 'total_sessions' then 't.sessions desc, t.user_id'
  end;
begin
  perform private.require_admin();
  if sorted_by is null or get_user_analytics.role not in ('all', 'admin', 'user') then
    raise exception 'Unknown sort or role.' using errcode = '22023';
  end if;
  -- Put together, so that each choice has the plan of its own index.
  return query execute format($query$
    select p.id, p.name, p.username, p.is_admin, t.orders, t.spent_cents / 100.0, t.designs, t.sessions,
      round(coalesce(private.session_minutes(p.id) / nullif(t.sessions, 0), 0), 1),
      (select max(s.login_at) from public.user_sessions s where s.user_id = p.id), p.created_at
    from private.profiles p join private.user_totals t on t.user_id = p.id
    where %s and %s order by %s limit $2
  $query$,
    case get_user_analytics.role when 'admin' then 'p.is_admin' when 'user' then 'not p.is_admin' else 'true' end,
    case when get_user_analytics.search = '' then 'true'
      else 'private.name_pieces(p.names) @> private.search_pieces($1) and p.names ilike private.contains_pattern($1)' end,
    sorted_by)
  using get_user_analytics.search, least(greatest(page_size, 0), 1000);
end;
$$;
comment on function public.get_user_analytics(text, text, text, integer) is
  'One row per user for the admin panel, not more than page_size (1,000 at most): sorted by created_at (newest first), '
  'created_at_asc, name, name_desc, total_orders, total_spent, total_designs or total_sessions; all, or each admin or user; with names that '
  'contain the words. Orders and spending count what was paid for (not pending, not cancelled), less '
  'refunds. Raises 42501 unless the caller is an admin; deliberately not granted to anon.';

create function public.get_user_stats() returns table (
  users bigint, admins bigint, new_this_week bigint, spent_cents bigint
)
language plpgsql stable rows 1 security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select coalesce(sum(t.users), 0)::bigint, (select count(*) from private.profiles p where p.is_admin),
      (select count(*) from private.profiles p where p.created_at >= now() - interval '7 days'),
      coalesce(sum(t.spent_cents), 0)::bigint
    from private.totals t;
end;
$$;
comment on function public.get_user_stats() is 'The figures above the admin''s list of users. Raises 42501 unless the caller is an admin.';

create function public.get_order_stats() returns table (revenue_cents bigint, paid_orders bigint, new_this_week bigint)
language plpgsql stable rows 1 security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select coalesce(sum(t.spent_cents), 0)::bigint, coalesce(sum(t.paid_orders), 0)::bigint,
      (select count(*) from public.orders o where o.created_at >= now() - interval '7 days')
    from private.totals t;
end;
$$;
comment on function public.get_order_stats() is
  'The figures above the admin''s list of orders: revenue counts only what is paid for, less what was returned. Raises 42501 unless the caller is an admin.';

create function public.get_design_stats() returns table (total bigint, printable bigint, new_this_week bigint)
language plpgsql stable rows 1 security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select coalesce(sum(t.designs), 0)::bigint, coalesce(sum(t.printable_designs), 0)::bigint,
      (select count(*) from public.designs d where d.created_at >= now() - interval '7 days')
    from private.totals t;
end;
$$;
comment on function public.get_design_stats() is
  'The figures above the admin''s list of designs: printable is what has a print product. Raises 42501 unless the caller is an admin.';

create function public.get_user_email(of_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (select u.email from auth.users u where u.id = of_user);
end;
$$;
comment on function public.get_user_email(uuid) is
  'The e-mail address of one account, for an admin about to change its role; null where there is none. One at a time, so that no list of '
  'addresses leaves the database. Raises 42501 unless the caller is an admin; deliberately not granted to anon and service_role.';
revoke all on function public.get_user_email(uuid) from public;
grant execute on function public.get_user_email(uuid) to authenticated;

revoke all on function public.get_user_analytics(text, text, text, integer), public.get_user_stats(),
  public.get_order_stats(), public.get_design_stats() from public;
grant execute on function public.get_user_analytics(text, text, text, integer), public.get_user_stats(),
  public.get_order_stats(), public.get_design_stats() to authenticated, service_role;
