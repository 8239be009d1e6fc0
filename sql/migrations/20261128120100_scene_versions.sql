-- Versions of scenes: made by jobs, returned to, reviewed before they are public, priced, and gone with their design.

-- Jobs ---------------------------------------------------------------------------------------------------------------------

alter table public.design_jobs
  drop constraint design_jobs_kind_check,
  drop constraint design_jobs_request_check,
  drop constraint design_jobs_check,
  add constraint design_jobs_kind_check check (kind in ('text_picture', 'photo_picture', 'print_product', 'scene')),
  -- that of a scene holds the scene
  add constraint design_jobs_request_check
    check (octet_length(request::text) < case kind when 'scene' then 90000 else 20000 end),
  add constraint design_jobs_check check ((kind in ('print_product', 'scene')) = (design_id is not null));
comment on table public.design_jobs is
  'A picture, print product or version of a scene that is being made, or was made within a day. The client chooses the id: the same id '
  'again joins the job. Users see what their page shows of their own rows; writing goes through the functions below alone. Rows and their '
  'objects in the bucket design-jobs end after a day, for a page that is reloaded the next morning; what was saved is a copy.';
drop index public.design_jobs_one_product_idx;
create unique index design_jobs_one_product_idx on public.design_jobs (design_id)
  where state = 'running' and kind in ('print_product', 'scene');
drop trigger on_design_job_deleted on public.design_jobs;
create trigger on_design_job_deleted after delete on public.design_jobs
  for each row when (old.kind not in ('print_product', 'scene')) execute function private.on_design_job_deleted();

create or replace function public.begin_design_job(
  job uuid, of_user uuid, job_kind text, of_design uuid, job_request jsonb, job_seed integer,
  per_hour integer, per_day integer, shop_per_day integer, usage_seconds integer, lease_seconds integer
) returns table (outcome text, open_at timestamptz, design_job jsonb)
language plpgsql security definer set search_path = '' as $$
declare
  known public.design_jobs;
  reserved record;
begin
  perform set_config('synchronous_commit', 'on', true);
  -- one of a user's at a time: two requests with one id make one job
  perform pg_advisory_xact_lock(hashtextextended('public.design_jobs ' || of_user::text, 0));
  select j.* into known from public.design_jobs j
  where j.id = job or (
    of_design is not null and j.design_id = of_design and j.kind in ('print_product', 'scene') and j.state = 'running'
  )
  order by (j.id = job) desc limit 1;

  if known.id is not null then
    if known.user_id <> of_user or known.id = job and (known.kind <> job_kind or known.design_id is distinct from of_design) then
      outcome := 'taken';
      return next;
      return;
    end if;
    -- Another scene of the same design waits for its turn; a second request for the same thing joins.
    if known.id <> job and (known.kind <> job_kind or job_kind = 'scene' and known.request <> job_request) then
      outcome := 'crowded';
      open_at := now() + interval '10 seconds';
      return next;
      return;
    end if;
    outcome := known.state;
    if known.state = 'running' and known.leased_until < now() then
      outcome := 'claimed';
      update public.design_jobs j set lease = gen_random_uuid(), attempts = j.attempts + 1,
        leased_until = now() + make_interval(secs => lease_seconds)
      where j.id = known.id returning j.* into known;
    end if;
    design_job := to_jsonb(known);
    return next;
    return;
  end if;

  -- Refused and failed jobs count for no limit of usage, so their rows have one of their own.
  select 'crowded', case when count(*) >= 500 then min(j.created_at) + interval '1 day' else now() + interval '30 seconds' end
  into outcome, open_at
  from public.design_jobs j where j.user_id = of_user and j.created_at > now() - interval '1 day'
  having count(*) >= 500 or count(*) filter (where j.state = 'running') >= 5;
  if outcome is not null then
    return next;
    return;
  end if;

  select u.* into reserved from public.reserve_usage(
    of_user, case when job_kind in ('print_product', 'scene') then job_kind else 'picture' end, per_hour, per_day, shop_per_day,
    usage_seconds
  ) u;
  if reserved.reservation is null then
    outcome := reserved.reached;
    open_at := reserved.open_at;
    return next;
    return;
  end if;
  outcome := 'claimed';
  insert into public.design_jobs as j (id, user_id, kind, design_id, request, seed, usage_event, leased_until)
  values (job, of_user, job_kind, of_design, job_request, job_seed, reserved.reservation,
    now() + make_interval(secs => lease_seconds))
  returning to_jsonb(j.*) into design_job;
  return next;
end;
$$;

-- Public only once it was looked at ----------------------------------------------------------------------------------------

create function private.refuse_unreviewed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- The lock waits for a version that is being made, and makes one that comes now wait until this row is to be seen.
  perform 1 from public.designs d where d.id = new.design_id for share;
  if exists (
    select 1 from public.designs d join public.design_versions v on v.id = d.current_version
    where d.id = new.design_id and v.review in ('waiting', 'refused')
  ) then
    raise exception 'We look at pictures that people bring along before everybody sees them.'
      using errcode = '23514', hint = 'artwork_waiting';
  end if;
  return new;
end;
$$;
create trigger refuse_unreviewed before insert on public.public_designs
  for each row execute function private.refuse_unreviewed();

create function public.ask_for_review(design uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  had_reports boolean;
begin
  -- for update: two requests make one case
  perform 1 from public.designs d join public.design_versions v on v.id = d.current_version
  where d.id = ask_for_review.design and d.user_id = (select auth.uid()) and v.review = 'waiting' for update of d;
  if not found then
    return false;
  end if;
  if exists (
    select 1 from private.design_reports r
    where r.design_id = ask_for_review.design and r.decided_at is null and r.words = 'Its creator asks to publish it.'
  ) then
    return true;
  end if;
  had_reports := exists (select 1 from private.design_reports r where r.design_id = ask_for_review.design and r.decided_at is null);
  insert into private.design_reports (design_id, reason, words)
  values (ask_for_review.design, 'other', 'Its creator asks to publish it.');
  if not had_reports then
    -- as report_design has it, for tell_of_reports
    perform pg_advisory_xact_lock(hashtextextended('private.report_senders', 0));
    perform private.tell_of_reports();
  end if;
  return true;
end;
$$;
comment on function public.ask_for_review(uuid) is
  'Puts one''s own design, which shows pictures that one brought along, among the cases that admins decide: keep lets it be published. '
  'False where nothing waits.';

create function private.pass_review() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.design_artwork a set review = 'passed'
  from public.designs d join public.design_versions v on v.id = d.current_version
  where d.id = new.design_id and a.user_id = d.user_id and a.review = 'waiting' and a.id::text in (
    select s.source #>> '{}' from jsonb_path_query(v.scene, '$.*[*].source') s (source)
  );
  update public.design_versions v set review = 'passed'
  from public.designs d where d.id = new.design_id and v.id = d.current_version and v.review = 'waiting';
  return null;
end;
$$;
comment on function private.pass_review() is
  'An admin who keeps a design has seen its pictures: they need no other look, here or in another scene of their owner''s.';
create trigger pass_review after insert on private.design_takedowns
  for each row when (new.decision = 'keep') execute function private.pass_review();

-- Making a version current -------------------------------------------------------------------------------------------------

create function private.show_version(version uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v public.design_versions;
  withdrawn boolean;
begin
  select n.* into v from public.design_versions n where n.id = version;
  -- the pictures of a row from before are in the bucket by now
  update public.designs d set current_version = v.id, has_back = v.has_back, printify_product_id = v.printify_product_id,
    image_url = v.image_url, thumbnail_url = v.thumbnail_url,
    image_data = case when v.image_url is null then d.image_data end,
    thumbnail_data = case when v.thumbnail_url is null then d.thumbnail_data end
  where d.id = v.design_id;
  delete from public.public_designs p where p.design_id = v.design_id and v.review in ('waiting', 'refused');
  withdrawn := found;
  -- a link's preview is drawn anew when somebody next asks for it
  insert into private.object_tasks (kind, bucket, name)
  select 'remove', 'link-pictures', p.id::text || '.jpg' from public.public_designs p where p.design_id = v.design_id;
  return withdrawn;
end;
$$;
comment on function private.show_version(uuid) is
  'Makes a version what is shown and ordered. True where the design was public and is not any more, until its pictures were looked at. '
  'The design is locked.';

create function public.save_design_version(of_design uuid, version jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v public.design_versions := jsonb_populate_record(null::public.design_versions, save_design_version.version);
  d public.designs;
  withdrawn boolean := false;
  is_first boolean;
begin
  perform set_config('synchronous_commit', 'on', true);
  select e.* into d from public.designs e where e.id = of_design for update;
  if d.id is null or private.is_taken_down(d.id) then
    return null;
  end if;
  -- once, however often its job is gone on with
  if not exists (select 1 from public.design_versions n where n.id = v.id) then
    -- A deletion of artwork waits, and finds this version, or was first (…_artwork_upkeep.sql).
    perform pg_advisory_xact_lock_shared(private.artwork_lock(d.user_id));
    if exists (
      select from jsonb_path_query(v.scene, '$.*[*] ? (@.source != "design").source') s (source)
      where not exists (select from public.design_artwork a where a.id::text = s.source #>> '{}' and a.user_id = d.user_id)
    ) then
      return jsonb_build_object('missing', 'artwork');
    end if;
    -- what was printed before the design was first adjusted can be returned to as well
    is_first := not exists (select 1 from public.design_versions n where n.design_id = d.id);
    if is_first and d.printify_product_id = v.printify_product_id then
      v.number := 1;
    elsif is_first and d.printify_product_id is not null and save_design_version.version -> 'first_scene' <> 'null' then
      insert into public.design_versions (
        design_id, number, scene, flat_scene, printify_product_id, image_url, thumbnail_url, print_files
      ) values (
        d.id, 1, save_design_version.version -> 'first_scene', save_design_version.version -> 'first_scene', d.printify_product_id,
        -- the function has put what a row from before held into the bucket
        coalesce(d.image_url, d.user_id::text || '/' || d.id::text || '/picture.png'),
        case when d.image_url is null then d.user_id::text || '/' || d.id::text || '/thumbnail.jpg' else d.thumbnail_url end,
        array[d.id::text || '.png']
      );
    end if;
    insert into public.design_versions (
      id, design_id, number, scene, flat_scene, has_back, review, printify_product_id, image_url, thumbnail_url, back_url, print_files
    ) values (
      v.id, d.id, v.number, v.scene, v.flat_scene, v.has_back, v.review, v.printify_product_id, v.image_url, v.thumbnail_url, v.back_url,
      v.print_files
    );
    withdrawn := private.show_version(v.id);
  end if;
  return jsonb_build_object(
    'withdrawn', withdrawn, 'number', (select n.number from public.design_versions n where n.id = v.id)
  );
end;
$$;
comment on function public.save_design_version(uuid, jsonb) is
  'Adds a version and makes it current; null where the design was deleted or taken down meanwhile, `missing` where a picture of it was. '
  '`withdrawn`: it was public and is not any more. `first_scene` is the scene of the picture alone, for a design that had its product before it was ever adjusted.';

create function public.next_version_number(of_design uuid) returns integer
language sql stable security definer set search_path = '' as $$
  -- the first is what the design was before it was adjusted
  select greatest(
    (select max(v.number) from public.design_versions v where v.design_id = of_design),
    case when d.printify_product_id is null then 0 else 1 end
  ) + 1
  from public.designs d where d.id = of_design and not private.is_taken_down(d.id);
$$;
comment on function public.next_version_number(uuid) is
  'For the one job that makes a version of a design; null where the design is gone or taken down.';

create function public.return_to_version(version uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  v public.design_versions;
  saved integer;
begin
  select n.* into v from public.design_versions n where n.id = return_to_version.version;
  perform 1 from public.designs d where d.id = v.design_id and d.user_id = (select auth.uid()) for update;
  if not found then
    raise exception 'There is no such version of yours.' using errcode = 'P0002';
  end if;
  if private.is_taken_down(v.design_id) then
    raise exception 'This design has been taken down.' using errcode = '23514', hint = 'design_taken_down';
  end if;
  -- it would be current a moment later
  if exists (
    select 1 from public.design_jobs j
    where j.design_id = v.design_id and j.kind = 'scene' and j.state = 'running' and j.leased_until > now()
  ) then
    raise sqlstate 'PT409' using message = 'version_in_the_making';
  end if;
  perform private.show_version(v.id);
  insert into public.design_drafts as f (design_id, scene) values (v.design_id, v.scene)
  on conflict (design_id) do update set scene = excluded.scene, revision = f.revision + 1, updated_at = now()
  returning f.revision into saved;
  return saved;
end;
$$;
comment on function public.return_to_version(uuid) is
  'Makes an earlier version of one''s own design the one that is shown and ordered, and the draft; the draft''s revision. 409 while '
  'another version is being made.';

-- A thumbnail in the gallery follows the version.
drop trigger on_thumbnail_moved on public.designs;
create trigger on_thumbnail_moved after update of thumbnail_url on public.designs
  for each row when (new.thumbnail_url is not null and old.thumbnail_url is distinct from new.thumbnail_url)
  execute function private.on_thumbnail_moved();

-- Objects ------------------------------------------------------------------------------------------------------------------

create function private.on_version_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_needed boolean := private.is_print_file_needed(old.printify_product_id);
begin
  -- Again ten minutes later, as with a design's picture. Print files stay for reprints and disputes of what was ordered.
  insert into private.object_tasks (kind, bucket, name, due_at)
  select 'remove', o.bucket, o.name, now() + pause
  from (
    select 'designs' as bucket, unnest(array_remove(array[old.image_url, old.thumbnail_url, old.back_url], null)) as name
    union all
    select 'print-files', regexp_replace(f.name, '\.png$', ending)
    from unnest(old.print_files) f (name), unnest(array['.png', '-2.png']) ending where not is_needed
  ) o, unnest(array[interval '0', interval '10 minutes']) as pause;
  if not exists (select 1 from public.designs d where d.printify_product_id = old.printify_product_id) then
    delete from private.removed_print_files f where f.product_id = old.printify_product_id;
  end if;
  return null;
end;
$$;
-- by a cascade from the design
create trigger on_version_deleted after delete on public.design_versions
  for each row execute function private.on_version_deleted();

revoke all on function private.refuse_unreviewed(), public.ask_for_review(uuid), private.pass_review(), private.show_version(uuid),
  public.save_design_version(uuid, jsonb), public.next_version_number(uuid), public.return_to_version(uuid),
  private.on_version_deleted() from public;
grant execute on function public.ask_for_review(uuid), public.return_to_version(uuid) to authenticated;
grant execute on function public.save_design_version(uuid, jsonb), public.next_version_number(uuid) to service_role;
