-- The admin's decisions about designs, and what they are made from: the queue of reports, and all that belongs to one design.

create function private.copies_of(design uuid) returns table (copy_id uuid)
language sql stable security definer set search_path = '' as $$
  with recursive copies (id) as (
    select o.copy_id from private.design_origins o where o.original_id = copies_of.design
    union
    select o.copy_id from private.design_origins o join copies c on o.original_id = c.id
  )
  select c.id from copies c limit 500;
$$;
comment on function private.copies_of(uuid) is 'The imported copies of a design, and theirs: 500 at most.';

create function private.shown_name(person uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select coalesce(nullif(trim(p.name), ''), nullif(trim(p.username), ''))
      from private.profiles p where p.id = shown_name.person
    ),
    'Unknown'
  );
$$;
comment on function private.shown_name(uuid) is 'An account''s name as admins see it.';

-- Decisions ---------------------------------------------------------------------------------------------------------------

create function private.take_designs_down(designs uuid[], reason text, note text) returns integer
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  taken uuid[];
begin
  with decided as (
    insert into private.design_takedowns (design_id, design_name, owner_id, decision, reason, note, actor, published_at)
    select d.id, d.name, d.user_id, 'take_down', take_designs_down.reason, take_designs_down.note, (select auth.uid()), p.created_at
    from public.designs d left join public.public_designs p on p.design_id = d.id
    where d.id = any (take_designs_down.designs)
    on conflict (design_id) where decision = 'take_down' and restored_at is null do nothing
    returning id, design_id
  ), told as (
    insert into private.design_notices (takedown_id) select d.id from decided d
  )
  select coalesce(array_agg(d.design_id), '{}') into taken from decided d;
  delete from public.public_designs p where p.design_id = any (taken);
  update private.design_reports r set decided_at = now()
  where r.design_id = any (take_designs_down.designs) and r.decided_at is null;
  perform private.hold_orders_of(taken);
  return cardinality(taken);
end;
$$;
comment on function private.take_designs_down(uuid[], text, text) is
  'Off the gallery, unseen by their links, and their owners told; how many were not taken down before. The designs are locked.';

create function private.restore_designs(designs uuid[], note text) returns integer
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  t private.design_takedowns;
  held uuid;
  decided uuid;
  restored integer := 0;
begin
  for t in
    update private.design_takedowns set restored_at = now()
    where design_id = any (restore_designs.designs) and decision = 'take_down' and restored_at is null
    returning *
  loop
    restored := restored + 1;
    insert into private.design_takedowns (design_id, design_name, owner_id, decision, note, actor)
    values (t.design_id, t.design_name, t.owner_id, 'restore', restore_designs.note, (select auth.uid()))
    returning id into decided;
    insert into private.design_notices (takedown_id) values (decided);
    -- back where it was, unless its creator has no public name any more
    insert into public.public_designs (design_id, user_id, created_at)
    select t.design_id, t.owner_id, t.published_at from private.profiles p
    where p.id = t.owner_id and p.public_name is not null and t.published_at is not null
    on conflict (design_id) do nothing;
    for held in
      select o.id from public.orders o join public.order_items i on i.order_id = o.id
      where i.design_id = t.design_id and o.design_held_at is not null
        and not exists (
          select 1 from public.order_items x where x.order_id = o.id and private.is_taken_down(x.design_id)
        )
      order by o.id
    loop
      perform private.release_order(held, 'its design was restored');
    end loop;
  end loop;
  return restored;
end;
$$;
comment on function private.restore_designs(uuid[], text) is
  'As they were before: link, gallery and orders; their owners are told. How many were taken down. The designs are locked.';

create function public.decide_design(
  of_design uuid, decision text, reason text default null, note text default '', copies uuid[] default '{}'
) returns integer
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  said text := coalesce(btrim(private.clean_text(decide_design.note)), '');
  chosen uuid[] := array_append(coalesce(decide_design.copies, '{}'), of_design);
  changed integer;
begin
  perform private.require_admin();
  if length(said) > 1000 then
    raise exception 'Please write at most 1,000 characters.' using errcode = '23514';
  end if;
  if cardinality(chosen) > 1 and exists (
    select unnest(chosen) except (select c.copy_id from private.copies_of(of_design) c union select of_design)
  ) then
    raise exception 'These are not all copies of this design.' using errcode = '23514';
  end if;
  -- in one order, so that two decisions never wait in a circle
  perform 1 from public.designs d where d.id = any (chosen) order by d.id for update;
  case decide_design.decision
    when 'take_down' then
      return private.take_designs_down(chosen, decide_design.reason, said);
    when 'restore' then
      return private.restore_designs(chosen, said);
    when 'keep' then
      update private.design_reports r set decided_at = now() where r.design_id = of_design and r.decided_at is null;
      get diagnostics changed = row_count;
      if changed > 0 then
        insert into private.design_takedowns (design_id, design_name, owner_id, decision, note, actor)
        select d.id, d.name, d.user_id, 'keep', said, (select auth.uid()) from public.designs d where d.id = of_design;
      end if;
      return least(changed, 1);
    else
      raise exception 'There is no such decision.' using errcode = '22023';
  end case;
end;
$$;
comment on function public.decide_design(uuid, text, text, text, uuid[]) is
  'For admins: keep (the reports are dealt with), take_down with a reason, or restore, the ticked copies with it. The note goes into '
  'the audit trail, and to the owners where something changes for them. How many designs changed: none where another admin was first.';

-- The queue, and one case ---------------------------------------------------------------------------------------------------

create function public.list_design_cases(taken_down boolean default false, most integer default 50) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted integer := least(greatest(most, 1), 500);
begin
  perform private.require_admin();
  return jsonb_build_object(
    -- counted no further than a person reads
    'total', case when taken_down then (
      select count(*) from (
        select 1 from private.design_takedowns t
        where t.decision = 'take_down' and t.restored_at is null and t.design_id is not null limit 1000
      ) c
    ) else (
      select count(*) from (
        select distinct r.design_id from private.design_reports r where r.decided_at is null limit 1000
      ) c
    ) end,
    'cases', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'id', d.id, 'name', d.name, 'creator', private.shown_name(d.user_id), 'thumbnail_url', d.thumbnail_url,
          'thumbnail_data', d.thumbnail_data, 'since', c.since, 'reports', c.reports, 'reasons', c.reasons,
          'is_public', exists (select 1 from public.public_designs p where p.design_id = d.id)
        ) order by c.place
      )
      from (
        select r.design_id, min(r.created_at) as since, count(*) as reports, array_agg(distinct r.reason) as reasons,
          row_number() over (order by min(r.created_at), r.design_id) as place
        from private.design_reports r where r.decided_at is null and not taken_down group by r.design_id
        union all
        (
          select t.design_id, t.created_at, 0, array[t.reason], row_number() over (order by t.created_at desc, t.id)
          from private.design_takedowns t
          where taken_down and t.decision = 'take_down' and t.restored_at is null and t.design_id is not null
          order by t.created_at desc limit wanted
        )
      ) c
      join public.designs d on d.id = c.design_id
      where c.place <= wanted
    ), '[]')
  );
end;
$$;
comment on function public.list_design_cases(boolean, integer) is
  'For admins: reported designs, longest waiting first, or those that are taken down, newest first; and how many there are (1,000 '
  'means that many or more).';

create function private.decision_as_json(t private.design_takedowns) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', t.id, 'design_name', t.design_name, 'decision', t.decision, 'reason', t.reason, 'note', t.note,
    'created_at', t.created_at, 'actor', case when t.actor is not null then private.shown_name(t.actor) end,
    'told_at', (select n.sent_at from private.design_notices n where n.takedown_id = t.id),
    'not_told', (select n.last_error from private.design_notices n where n.takedown_id = t.id)
  );
$$;
comment on function private.decision_as_json(private.design_takedowns) is 'A decision, who made it, and whether its mail was sent.';

create function public.get_design_case(of_design uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'id', d.id, 'name', d.name, 'created_at', d.created_at,
      'is_public', exists (select 1 from public.public_designs p where p.design_id = d.id),
      'taken_down', (
        select t.reason from private.design_takedowns t
        where t.design_id = d.id and t.decision = 'take_down' and t.restored_at is null
      ),
      'reports', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', r.id, 'reason', r.reason, 'words', r.words, 'created_at', r.created_at, 'is_open', r.decided_at is null
        ) order by r.created_at desc, r.id)
        from (
          select n.* from private.design_reports n where n.design_id = d.id order by n.created_at desc, n.id limit 100
        ) r
      ), '[]'),
      'creator', jsonb_build_object(
        'name', private.shown_name(d.user_id),
        'public_name', p.public_name,
        'since', p.created_at,
        'designs', coalesce((select u.designs from private.user_totals u where u.user_id = d.user_id), 0),
        'taken_down', (
          select count(*) from private.design_takedowns t where t.owner_id = d.user_id and t.decision = 'take_down'
        ),
        'decisions', coalesce((
          select jsonb_agg(private.decision_as_json(t) order by t.created_at desc, t.id)
          from (
            select n.* from private.design_takedowns n
            where n.owner_id = d.user_id and n.design_id is distinct from d.id order by n.created_at desc limit 50
          ) t
        ), '[]')
      ),
      'decisions', coalesce((
        select jsonb_agg(private.decision_as_json(t) order by t.created_at desc, t.id)
        from (
          select n.* from private.design_takedowns n where n.design_id = d.id order by n.created_at desc limit 50
        ) t
      ), '[]'),
      'copies', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', c.id, 'name', c.name, 'creator', private.shown_name(c.user_id), 'created_at', c.created_at,
          'is_public', exists (select 1 from public.public_designs g where g.design_id = c.id),
          'is_taken_down', private.is_taken_down(c.id)
        ) order by c.created_at, c.id)
        -- each by its key, however many copies the planner expects
        from private.copies_of(d.id) o
        cross join lateral (select e.* from public.designs e where e.id = o.copy_id limit 1) c
      ), '[]'),
      'held_orders', (
        -- from the few that wait in the whole shop, not from all that were ever placed
        select count(*) from public.orders o
        where o.design_held_at is not null
          and exists (select 1 from public.order_items i where i.order_id = o.id and i.design_id = d.id)
      )
    )
    from public.designs d left join private.profiles p on p.id = d.user_id
    where d.id = of_design
  );
end;
$$;
comment on function public.get_design_case(uuid) is
  'For admins: a design with its reports (never who sent them), its creator''s history, the decisions, its copies and how many paid '
  'orders of it wait; null when there is none.';

revoke all on function private.copies_of(uuid), private.shown_name(uuid), private.take_designs_down(uuid[], text, text),
  private.restore_designs(uuid[], text), public.decide_design(uuid, text, text, text, uuid[]),
  public.list_design_cases(boolean, integer), private.decision_as_json(private.design_takedowns), public.get_design_case(uuid) from public;
grant execute on function public.decide_design(uuid, text, text, text, uuid[]), public.list_design_cases(boolean, integer),
  public.get_design_case(uuid) to authenticated;
