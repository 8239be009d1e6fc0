-- Behind an order: its history, its jobs, its messages, and its flags for a person. Written by triggers and by the
-- transitions of the next migration, in the transaction that moves the order, so that nothing that follows from a step can be
-- lost between the step and what follows.

-- History -------------------------------------------------------------------------------------------------------------

create table public.order_events (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id) on delete cascade,
  actor uuid references auth.users (id) on delete set null,
  kind text not null check (length(kind) between 1 and 60),
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  created_at timestamptz not null default now()
);
comment on table public.order_events is
  'The audit trail: every status, cancellation, refund and alarm, and who caused it (no actor: a vendor or the sweep). '
  'Read by admins. Deliberately not granted: any writing; triggers and transitions write it.';
create index order_events_order_id_idx on public.order_events (order_id, created_at);
create index order_events_actor_idx on public.order_events (actor);

alter table public.order_events enable row level security;
grant select on public.order_events to authenticated, service_role;
create policy "admins read the audit trail" on public.order_events
  for select to authenticated using ((select private.is_admin()));

-- Flags --------------------------------------------------------------------------------------------------------

create table public.order_flags (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id) on delete cascade,
  reason text not null check (reason ~ '^[a-z_]+$'),
  details text not null default '' check (length(details) <= 1000),
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by uuid references auth.users (id) on delete set null
);
comment on table public.order_flags is
  'Orders that a person has to look at, because the shop gave up or two vendors disagree. Each is mailed to the admin, '
  'once. Admins read them. Deliberately not granted: any writing; resolve_order_flags and retry_order write who resolved '
  'one, and why, into the audit trail.';
create unique index order_flags_open_idx on public.order_flags (order_id, reason) where resolved_at is null;
-- the admin's list, longest waiting first
create index order_flags_open_created_at_idx on public.order_flags (created_at, id) where resolved_at is null;
create index order_flags_order_id_idx on public.order_flags (order_id);
create index order_flags_resolved_by_idx on public.order_flags (resolved_by);

alter table public.order_flags enable row level security;
grant select on public.order_flags to authenticated, service_role;
create policy "admins read flags" on public.order_flags
  for select to authenticated using ((select private.is_admin()));

create function private.resolve_flag() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.resolved_at := case when new.resolved_at is null then null else now() end;
  new.resolved_by := case when new.resolved_at is null then null else (select auth.uid()) end;
  return new;
end;
$$;
comment on function private.resolve_flag() is 'Who resolved a flag, and when, is the server''s word.';
revoke all on function private.resolve_flag() from public;
create trigger resolve_flag before update on public.order_flags
  for each row execute function private.resolve_flag();

-- Jobs ---------------------------------------------------------------------------------------------------------------

create table public.order_jobs (
  order_id uuid not null references public.orders (id) on delete cascade,
  kind text not null check (kind in ('settle', 'print', 'track', 'cancel', 'stop_print', 'refund', 'dispute')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  last_error text check (length(last_error) <= 1000),
  done_at timestamptz,
  gave_up_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (order_id, kind)
);
comment on table public.order_jobs is
  'What is still to be done for an order. The sweep takes what is due under a lease, which runs out if it dies; what '
  'fails is tried again ever later, and given up with a flag. Deliberately not granted: anything but reading by service_role.';
create index order_jobs_due_idx on public.order_jobs (due_at) where done_at is null and gave_up_at is null;
alter table public.order_jobs enable row level security;  -- and no policy: users read nothing, service_role bypasses RLS
grant select on public.order_jobs to service_role;

-- Messages -------------------------------------------------------------------------------------------------------------

create table public.order_messages (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id) on delete cascade,
  channel text not null check (channel in ('mail', 'automation')),
  kind text not null check (length(kind) between 1 and 60),
  details text not null default '',
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  last_error text check (length(last_error) <= 1000),
  sent_at timestamptz,
  gave_up_at timestamptz,
  created_at timestamptz not null default now(),
  unique (order_id, channel, kind)
);
comment on table public.order_messages is
  'The outbox: every mail to shopper or admin and every post to the owner''s automation, once each. The row''s id is part '
  'of the mail''s Message-ID. Deliberately not granted: anything but reading by service_role.';
create index order_messages_due_idx on public.order_messages (due_at) where sent_at is null and gave_up_at is null;
alter table public.order_messages enable row level security;  -- and no policy: users read nothing, service_role bypasses RLS
grant select on public.order_messages to service_role;

-- Webhook events -----------------------------------------------------------------------------------------------------

create table public.vendor_events (
  vendor text not null check (vendor in ('stripe', 'printify')),
  id text not null check (length(id) between 1 and 100),
  type text not null check (length(type) <= 100),
  order_id uuid references public.orders (id) on delete set null,
  created_at timestamptz not null default now(),
  primary key (vendor, id)
);
comment on table public.vendor_events is
  'Webhook events that were dealt with, so that a repeated one is only acknowledged. A row is written after its work '
  'was committed, never before: a failed event must come again. Deliberately not granted: anything but '
  'reading by service_role.';
create index vendor_events_order_id_idx on public.vendor_events (order_id);
alter table public.vendor_events enable row level security;  -- and no policy: users read nothing, service_role bypasses RLS
grant select on public.vendor_events to service_role;

-- Consequences of a change ----------------------------------------------------------------------------------------------

create function private.add_job(of_order uuid, job_kind text, due timestamptz default now()) returns void
language sql security definer set search_path = '' as $$
  insert into public.order_jobs (order_id, kind, due_at) values (of_order, job_kind, due)
  on conflict (order_id, kind) do update
    set due_at = excluded.due_at, done_at = null, gave_up_at = null, attempts = 0, last_error = null;
$$;
create function private.end_jobs(of_order uuid, kinds text[]) returns void
language sql security definer set search_path = '' as $$
  update public.order_jobs j set done_at = now(), leased_until = null
  where j.order_id = of_order and j.kind = any (kinds) and j.done_at is null;
$$;
create function private.add_message(of_order uuid, on_channel text, message_kind text, about text default '') returns void
language sql security definer set search_path = '' as $$
  insert into public.order_messages (order_id, channel, kind, details) values (of_order, on_channel, message_kind, about)
  on conflict (order_id, channel, kind) do nothing;
$$;
create function private.add_event(of_order uuid, event_kind text, about jsonb default '{}', by_actor uuid default null)
returns void
language sql security definer set search_path = '' as $$
  insert into public.order_events (order_id, kind, details, actor) values (of_order, event_kind, about, by_actor);
$$;
create function private.delays_parcel(reason text) returns boolean
language sql immutable set search_path = '' as $$
  select reason in ('print_failed', 'printer_problem');
$$;
comment on function private.delays_parcel(text) is 'Whether the shopper is informed of a flag with this reason.';
create function private.raise_flag(of_order uuid, reason text, about text default '') returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  insert into public.order_flags (order_id, reason, details) values (of_order, raise_flag.reason, left(about, 1000))
  on conflict (order_id, reason) where resolved_at is null do nothing;
  if found then
    perform private.add_event(of_order, 'flagged', jsonb_build_object('reason', raise_flag.reason, 'details', left(about, 300)));
    perform private.add_message(of_order, 'mail', 'notice_' || raise_flag.reason, left(about, 1000));
    -- the shopper hears of what delays their parcel, while they wait for one, not of our book-keeping
    if private.delays_parcel(raise_flag.reason) and exists (
      select from public.orders o where o.id = of_order and o.status in ('paid', 'processing')
    ) then
      perform private.add_message(of_order, 'mail', 'problem');
    end if;
  end if;
end;
$$;
comment on function private.raise_flag(uuid, text, text) is 'Flags the order for a person, once per open reason.';

create function private.on_order_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('synchronous_commit', 'on', true);  -- see guard_order
  if tg_op = 'INSERT' then
    perform private.add_event(new.id, 'placed', jsonb_build_object('total_cents', new.total_cents), new.user_id);
    -- browser and webhook normally see to the payment; this is for when neither does
    perform private.add_job(new.id, 'settle', now() + interval '2 minutes');
    return null;
  end if;
  perform private.add_event(
    new.id, 'status', jsonb_build_object('from', old.status, 'to', new.status), (select auth.uid())
  );
  if new.status = 'paid' then
    perform private.end_jobs(new.id, array['settle']);
    perform private.ask_printing(new.id);
    perform private.add_message(new.id, 'mail', 'confirmation');
    perform private.add_message(new.id, 'automation', 'order.confirmed');
  elsif new.status = 'shipped' then
    perform private.add_message(new.id, 'mail', 'shipped');
    perform private.add_message(new.id, 'automation', 'order.shipped');
  elsif new.status = 'cancelled' then
    perform private.end_jobs(new.id, array['settle', 'print', 'track', 'cancel']);
    if new.paid_at is not null then
      perform private.add_message(new.id, 'mail', 'cancelled');
      perform private.add_message(new.id, 'automation', 'order.cancelled');
    end if;
  end if;
  if new.status in ('processing', 'shipped') then
    perform public.withdraw_cancellation(new.id, 'in production');
  end if;
  return null;
end;
$$;
comment on function private.on_order_changed() is 'What an order''s step entails: audit, jobs and messages, in the step''s own transaction.';
revoke all on function private.add_job(uuid, text, timestamptz), private.end_jobs(uuid, text[]),
  private.add_message(uuid, text, text, text), private.add_event(uuid, text, jsonb, uuid),
  private.delays_parcel(text), private.raise_flag(uuid, text, text), private.on_order_changed() from public;

create trigger on_order_placed after insert on public.orders
  for each row execute function private.on_order_changed();
create trigger on_order_changed after update of status on public.orders
  for each row when (old.status is distinct from new.status) execute function private.on_order_changed();
