-- Ideas: what a design's picture was drawn from, so that its owner can have another like it drawn later (docs/scene.md).
--
-- A job and its request end after a day (…_design_jobs.sql). The request of the picture that was kept stays with the design.

create table public.design_ideas (
  design_id uuid primary key references public.designs (id) on delete cascade,
  kind text not null check (kind in ('text_picture', 'photo_picture')),
  request jsonb not null check (octet_length(request::text) < 20000),
  seed integer not null,
  created_at timestamptz not null default now()
);
comment on table public.design_ideas is
  'The words, style and colours that a design''s picture was drawn from. Nobody but its owner reads them, admins and holders of the link '
  'included. Deliberately not granted: any writing; keep_idea is the way in. A copy of a design has none.';
comment on column public.design_ideas.request is 'As it was validated for the picture''s job; never the photo.';
comment on column public.design_ideas.seed is 'With the same one, other words change as little else as a model can.';

alter table public.design_ideas enable row level security;
grant select on public.design_ideas to authenticated;
create policy "owners read their ideas" on public.design_ideas
  for select to authenticated using (private.owns_design(design_id));

-- The page draws with other words and the same seed.
grant select (seed) on public.design_jobs to authenticated;

create function public.keep_idea(design uuid, job uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.design_ideas (design_id, kind, request, seed)
  -- a request that names its seed was drawn with that one
  select d.id, j.kind, j.request, coalesce((j.request ->> 'seed')::integer, j.seed)
  from public.designs d join public.design_jobs j on j.user_id = d.user_id
  where d.id = keep_idea.design and d.user_id = (select auth.uid()) and j.id = keep_idea.job
    and j.kind in ('text_picture', 'photo_picture') and j.state = 'done'
  on conflict (design_id) do nothing;
  return found;
end;
$$;
comment on function public.keep_idea(uuid, uuid) is
  'Keeps with one''s own design what its picture was drawn from, by the job that drew it. False where there is no such design or job of '
  'one''s own, or an idea is kept already.';

create function public.export_scenes(person uuid, most integer default 10000) returns jsonb
language sql stable security definer set search_path = '' set enable_seqscan = off as $$
  select jsonb_build_object(
    'drafts', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.updated_at desc), '[]')
      from (
        select e.* from public.designs d join public.design_drafts e on e.design_id = d.id
        where d.user_id = person order by e.updated_at desc limit most
      ) f
    ),
    'versions', (
      select coalesce(jsonb_agg(to_jsonb(v) - 'flat_scene' order by v.created_at desc), '[]')
      from (
        select e.* from public.designs d join public.design_versions e on e.design_id = d.id
        where d.user_id = person order by e.created_at desc limit most
      ) v
    ),
    'ideas', (
      select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at desc), '[]')
      from (
        select e.* from public.designs d join public.design_ideas e on e.design_id = d.id
        where d.user_id = person order by e.created_at desc limit most
      ) i
    ),
    'artwork', (
      select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' order by a.created_at desc), '[]')
      from (select * from public.design_artwork w where w.user_id = person order by w.created_at desc limit most) a
    )
  );
$$;
comment on function public.export_scenes(uuid, integer) is
  'What one person has drawn and brought along, newest first, not more than `most` of each kind: a part of export-account.';

revoke all on function public.keep_idea(uuid, uuid), public.export_scenes(uuid, integer) from public, anon, authenticated;
grant execute on function public.keep_idea(uuid, uuid) to authenticated;
grant execute on function public.export_scenes(uuid, integer) to service_role;
