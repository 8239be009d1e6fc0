-- What a share link shows, and no more.
--
-- get_shared_design gave the whole row of designs: the owner's id (which leads to a person's other public designs and
-- likes) and the print product's id. It now gives what the shared page shows, in a type of its own, so that a column
-- added to designs later does not appear behind every link. A function that returns a table cannot have an argument
-- with the name of a column, and the argument is `id` in the API: hence a composite type.

drop function public.get_shared_design(uuid);

create type public.shared_design as (
  id uuid,
  name text,
  image_data text,
  thumbnail_data text,
  selected_colors uuid[],
  created_at timestamptz,
  is_public boolean,
  published_at timestamptz,
  creator_name text,
  is_owner boolean
);
comment on type public.shared_design is
  'A design as its share link shows it. Deliberately absent: the owner''s id and the print product''s id; the owner, and '
  'everybody while the design is public, read the product from designs.';

create function public.get_shared_design(id uuid) returns setof public.shared_design
language sql stable rows 1 security definer set search_path = '' as $$
  select
    d.id, d.name, d.image_data, d.thumbnail_data, d.selected_colors, d.created_at,
    publication.created_at is not null,
    publication.created_at,
    creator.public_name,
    d.user_id is not distinct from (select auth.uid())
  from public.designs d
  left join public.public_designs publication on publication.design_id = d.id
  left join private.profiles creator on creator.id = d.user_id
  where d.id = get_shared_design.id;
$$;
comment on function public.get_shared_design(uuid) is
  'The one design behind a share link, private or not: the unguessable id is the key, and there is no way to list. '
  'creator_name is null for people without a public name, published_at for private designs.';
revoke all on function public.get_shared_design(uuid) from public;
grant execute on function public.get_shared_design(uuid) to anon, authenticated, service_role;
