-- Discover and the pages of creators as robots read them: what the function design-page draws them with.

create function public.get_gallery_page(most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) order by p.created_at desc, p.id), '[]')
  from (
    select each.id, each.design_id, each.created_at from public.public_designs each
    order by each.created_at desc, each.id limit least(greatest(get_gallery_page.most, 0), 100)
  ) p
  join public.designs d on d.id = p.design_id;
$$;
comment on function public.get_gallery_page(integer) is
  'Ids and names of the newest public designs, in the gallery''s order; 100 at most.';

create function public.get_creator_page(creator uuid, most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when count(p.id) > 0 then jsonb_build_object(
    'id', get_creator_page.creator,
    'name', (select profile.public_name from private.profiles profile where profile.id = get_creator_page.creator),
    'designs', jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) order by p.created_at desc, p.id)
  ) end
  from (
    select each.id, each.design_id, each.created_at from public.public_designs each
    where each.user_id = get_creator_page.creator
    order by each.created_at desc, each.id limit least(greatest(get_creator_page.most, 0), 100)
  ) p
  join public.designs d on d.id = p.design_id;
$$;
comment on function public.get_creator_page(uuid, integer) is
  'The public name of somebody with public designs, with the newest of these as get_gallery_page has them; null of anybody '
  'else.';
-- Deliberately not granted to visitors: they read designs and names, each under its own rules.
revoke all on function public.get_gallery_page(integer), public.get_creator_page(uuid, integer)
  from public, anon, authenticated;
grant execute on function public.get_gallery_page(integer), public.get_creator_page(uuid, integer) to service_role;
