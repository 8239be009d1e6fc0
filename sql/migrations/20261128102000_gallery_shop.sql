-- The gallery as a shop: the most liked designs first, and designs like another one.

-- Most liked ------------------------------------------------------------------------------------------------------------

-- A design's likes and its publication stand in one row, so that a like and a publication at once wait for each other there
-- and neither is missed. (A column of public_designs would have the index on names written anew for each like.)
alter table private.design_like_totals
  add column publication_id uuid unique references public.public_designs (id) on delete set null,
  add column published_at timestamptz;
comment on table private.design_like_totals is
  'How many like a design, and as what it is public; no row before the first like or publication. A table of its own: a row of '
  'designs is announced to pages on every update, and one of public_designs comes and goes while likes stay. Not granted to any '
  'API role: read as like_count and by most_liked_designs.';
comment on column private.design_like_totals.publication_id is 'Null while the design is not public.';
comment on column private.design_like_totals.published_at is 'Copied from the publication, for the order among equally many likes.';
create index design_like_totals_most_liked_idx on private.design_like_totals (likes, published_at, publication_id)
  where publication_id is not null;

create function private.rank_public_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- in the order of the keys, as count_likes writes them
  insert into private.design_like_totals as t (design_id, likes, publication_id, published_at)
  select c.design_id, 0, c.id, c.created_at from changed c order by c.design_id
  on conflict (design_id) do update set publication_id = excluded.publication_id, published_at = excluded.published_at;
  return null;
end;
$$;
comment on function private.rank_public_rows() is
  'A publication takes its place among the most liked. The foreign key takes it out when the publication goes.';
revoke all on function private.rank_public_rows() from public;
create trigger rank_inserted after insert on public.public_designs
  referencing new table as changed for each statement execute function private.rank_public_rows();

create function public.most_liked_designs(
  most_likes bigint default null, published_before timestamptz default null, before_id uuid default null,
  page_size integer default 1000
) returns setof public.public_designs
language sql stable security definer set search_path = '' as $$
  select p.*
  from (
    select t.likes, t.published_at, t.publication_id
    from private.design_like_totals t
    where t.publication_id is not null
      and (t.likes, t.published_at, t.publication_id) < (
        coalesce(most_likes, 9223372036854775807), coalesce(published_before, 'infinity'),
        coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by t.likes desc, t.published_at desc, t.publication_id desc
    limit least(greatest(page_size, 0), 1000)
  ) t
  -- each by its key: for a number of rows that is not known yet, the planner would read all that is public
  cross join lateral (select d.* from public.public_designs d where d.id = t.publication_id limit 1) p
  order by t.likes desc, t.published_at desc, t.publication_id desc;
$$;
comment on function public.most_liked_designs(bigint, timestamptz, uuid, integer) is
  'The public designs, most liked first and the newest of equally liked ones. Not more than page_size (1,000 at most), after the '
  'row with these likes, time and id. Public: it shows no more than public_designs and like_count do.';
revoke all on function public.most_liked_designs(bigint, timestamptz, uuid, integer) from public;
grant execute on function public.most_liked_designs(bigint, timestamptz, uuid, integer) to anon, authenticated, service_role;

-- What the nightly check and the loading of rows past the triggers call: now with the publications.
create or replace function private.recount() returns void
language plpgsql set search_path = '' as $$
begin
  -- Writers wait, so that no change falls between counting and storing.
  lock table public.designs, public.public_designs, public.design_likes, public.orders, public.user_sessions, private.profiles
    in share row exclusive mode;
  delete from private.totals where true;
  insert into private.totals select c.* from private.counted_totals() c;
  delete from private.design_like_totals where true;
  insert into private.design_like_totals (design_id, likes, publication_id, published_at)
  select coalesce(l.design_id, p.design_id), coalesce(l.total, 0), p.id, p.created_at
  from (select design_id, count(*) as total from public.design_likes group by design_id) l
  full join public.public_designs p on p.design_id = l.design_id;
  delete from private.user_totals where true;
  insert into private.user_totals (user_id, orders, spent_cents, designs, sessions)
  select p.id, coalesce(o.total, 0), coalesce(o.spent, 0), coalesce(d.total, 0), coalesce(s.total, 0)
  from private.profiles p
  left join (
    select user_id, count(*) as total, sum(total_cents - refunded_cents) as spent
    from public.orders where private.counts_as_paid(status) group by user_id
  ) o on o.user_id = p.id
  left join (select user_id, count(*) as total from public.designs group by user_id) d on d.user_id = p.id
  left join (select user_id, count(*) as total from public.user_sessions group by user_id) s on s.user_id = p.id;
  update public.public_designs p set name = d.name from public.designs d where d.id = p.design_id and d.name <> p.name;
end;
$$;

-- Publications that were there before this migration.
insert into private.design_like_totals as t (design_id, likes, publication_id, published_at)
select p.design_id, 0, p.id, p.created_at from public.public_designs p
on conflict (design_id) do update set publication_id = excluded.publication_id, published_at = excluded.published_at;

-- Styles ----------------------------------------------------------------------------------------------------------------

alter table public.designs add column style text check (btrim(style) <> '' and length(style) <= 40);
comment on column public.designs.style is
  'One of the styles that the shop offers; null for a style in one''s own words, and for designs from before.';
grant insert (style) on public.designs to authenticated;
update public.designs d set style = substr(d.name, 18)
where d.name in (
  'Picture Design - Caricature', 'Picture Design - Cartoon', 'Picture Design - Line art', 'Picture Design - Pop art',
  'Picture Design - Watercolor', 'Picture Design - Sketch', 'Picture Design - Vintage', 'Picture Design - Ghibli');

alter table public.public_designs add column style text;
comment on column public.public_designs.style is 'The design''s style, copied by a trigger: it never changes.';
update public.public_designs p set style = d.style from public.designs d where d.id = p.design_id and d.style is not null;
-- "in this style, newest first"
create index public_designs_style_idx on public.public_designs (style, created_at desc) where style is not null;

create or replace function private.copy_design_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A share lock waits for a rename that is under way, and makes one that comes now wait: no old name remains.
  select d.name, d.style into new.name, new.style from public.designs d where d.id = new.design_id for share;
  new.name := coalesce(new.name, '');
  return new;
end;
$$;
comment on function private.copy_design_name() is 'Publishes a design under its name and in its style, whatever the row says.';

-- More like this --------------------------------------------------------------------------------------------------------

create function private.name_words(value text) returns text[]
language sql immutable parallel safe set search_path = '' as $$
  select array(
    select distinct regexp_replace(w.word, 's$', '')
    from regexp_split_to_table(lower(left(value, 300)), '[^[:alnum:]]+') w (word)
    where length(w.word) > 2 and w.word not in (
      'about', 'and', 'are', 'but', 'design', 'for', 'from', 'has', 'her', 'his', 'into', 'its', 'like', 'not', 'off', 'our',
      'out', 'over', 'picture', 'shirt', 'some', 'that', 'the', 'their', 'them', 'this', 'under', 'untitled', 'was', 'wearing',
      'who', 'with', 'you', 'your')
  );
$$;
comment on function private.name_words(text) is
  'The words of a name that say what is on the picture: in small letters, without a plural''s s, without little words.';
revoke all on function private.name_words(text) from public;
-- an index's expression runs with the rights of the role that writes the row
grant execute on function private.name_words(text) to authenticated, service_role;
create index public_designs_name_words_idx on public.public_designs using gin (private.name_words(name)) with (fastupdate = off);

-- Candidates are a few of each pair of words (a word with itself is a pair) and the newest of the style; only they are compared.
-- So it compares a few hundred rows, however many are public and however common a word is.
create function public.related_designs(design uuid, page_size integer default 4) returns setof public.public_designs
language sql stable security definer set search_path = '' set enable_seqscan = off as $$
  with origin as materialized (
    select p.id, p.style, private.name_words(p.name) as words from public.public_designs p where p.design_id = related_designs.design
  ), words as (
    select w.word from origin o, unnest(o.words) w (word) order by length(w.word) desc, w.word limit 4
  ), candidates as (
    select c.* from words a join words b on a.word <= b.word, lateral (
      select p.* from public.public_designs p where private.name_words(p.name) @> array[a.word, b.word] limit 15
    ) c
    union
    select c.* from origin o, lateral (
      select p.* from public.public_designs p where p.style = o.style order by p.created_at desc limit 15
    ) c
  )
  select c.*
  from candidates c, origin o
  where c.id <> o.id
  order by
    (select count(*) from unnest(private.name_words(c.name)) w (word) where w.word = any (o.words))
      + case when c.style = o.style then 1 else 0 end desc,
    c.created_at desc, c.id
  limit least(greatest(page_size, 0), 24);
$$;
comment on function public.related_designs(uuid, integer) is
  'Public designs that have words of the name or the style in common with a public one, those with most first; nothing for a '
  'design that is not public. Public: it shows no more than public_designs does.';
revoke all on function public.related_designs(uuid, integer) from public;
grant execute on function public.related_designs(uuid, integer) to anon, authenticated, service_role;

-- The copy that a person has already --------------------------------------------------------------------------------------

-- In the row itself, so that a design with a hundred thousand copies is asked for one person's by the index.
alter table private.design_origins add column owner_id uuid;
comment on column private.design_origins.owner_id is 'The copy''s owner, whom a trigger names. Designs do not change hands.';
update private.design_origins o set owner_id = d.user_id from public.designs d where d.id = o.copy_id;
create index design_origins_owner_id_idx on private.design_origins (owner_id, original_id);

create function private.name_copy_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.owner_id := (select d.user_id from public.designs d where d.id = new.copy_id);
  return new;
end;
$$;
revoke all on function private.name_copy_owner() from public;
create trigger name_copy_owner before insert on private.design_origins
  for each row execute function private.name_copy_owner();

create function public.find_design_copy(of_design uuid, reader uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select d.id
  from (
    select of_design as id
    union all
    (select o.copy_id from private.design_origins o where o.owner_id = reader and o.original_id = of_design limit 100)
  ) own
  join public.designs d on d.id = own.id and d.user_id = reader
  where not private.is_taken_down(d.id)
  order by d.id = of_design desc, d.printify_product_id is null, d.created_at desc
  limit 1;
$$;
comment on function public.find_design_copy(uuid, uuid) is
  'For import-design: what a person can order of a design without another copy: the design itself where it is theirs, else their '
  'newest copy that the printer has; null for none.';
revoke all on function public.find_design_copy(uuid, uuid) from public;
grant execute on function public.find_design_copy(uuid, uuid) to service_role;
