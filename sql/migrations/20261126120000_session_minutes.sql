-- The time of a person's sessions, from each of their tables once: one look for each session took a hundred thousand
-- pages for the admin's list of busy people.

create or replace function private.session_minutes(person uuid) returns numeric
language sql stable set search_path = '' as $$
  -- Browsers record sign-ins, not sign-outs: a session lasts until the last thing that the user did before signing in
  -- again, and at most a day.
  with moments as (
    select s.login_at as at, true as is_login from public.user_sessions s where s.user_id = person
    union all
    select d.created_at, false from public.designs d where d.user_id = person
    union all
    select p.created_at, false from public.public_designs p where p.user_id = person
    union all
    select l.created_at, false from public.design_likes l where l.user_id = person
    union all
    select coalesce(o.paid_at, o.created_at), false from public.orders o where o.user_id = person
  ), within as (
    select m.at, max(m.at) filter (where m.is_login) over (order by m.at) as login_at from moments m
  ), lasting as (
    select max(w.at) - w.login_at as duration from within w
    where w.at < w.login_at + interval '1 day' group by w.login_at
  )
  select sum(extract(epoch from l.duration)) / 60 from lasting l;
$$;

-- With both moments in it the index alone answers; before, each order was a page of the table.
drop index public.orders_user_id_paid_at_idx;
create index orders_user_id_paid_at_idx on public.orders (user_id, (coalesce(paid_at, created_at)) desc)
  include (paid_at, created_at);
