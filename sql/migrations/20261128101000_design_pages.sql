-- Pages that robots read: what the function design-page draws them with.

create function public.get_design_page(design uuid, key text default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case
    when private.is_taken_down(d.id) then jsonb_build_object('state', 'removed')
    when not private.link_opens(d.id, get_design_page.key) then null
    when publication.id is null then jsonb_build_object('state', 'private')
    else jsonb_build_object(
      'state', 'public',
      'id', d.id,
      'name', d.name,
      'creator', creator.public_name,
      'creator_id', publication.user_id,
      'published_at', publication.created_at,
      'publication', publication.id,
      'likes', coalesce(likes.likes, 0),
      'product', d.printify_product_id,
      'picture', d.image_url,
      'colors', d.selected_colors,
      'variants', (
        select jsonb_agg(
          jsonb_build_object('id', v.id, 'name', v.name, 'hex', v.color_hex, 'printify', v.printify_variant_id,
            'available', v.is_available) order by v.name
        ) from public.product_variants v
      )
    )
  end
  from public.designs d
  left join public.public_designs publication on publication.design_id = d.id
  left join private.profiles creator on creator.id = d.user_id
  left join private.design_like_totals likes on likes.design_id = d.id
  where d.id = get_design_page.design;
$$;
comment on function public.get_design_page(uuid, text) is
  'All that the page of a public design shows, with the catalog; of a private one, or one that is taken down, no more than '
  'that; null for none, and where the link was ended. Deliberately not granted to visitors: they read the parts, each '
  'under its own rules.';
revoke all on function public.get_design_page(uuid, text) from public, anon, authenticated;
grant execute on function public.get_design_page(uuid, text) to service_role;

-- Sitemaps -------------------------------------------------------------------------------------------------------------

-- Files of public designs, oldest first, each by the time at which it begins, in microseconds since 1970: a new design
-- changes the last file alone.
create function public.list_sitemaps(most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  with recursive starts (at) as (
    (select p.created_at from public.public_designs p order by p.created_at limit 1)
    union all
    select following.created_at from starts s cross join lateral (
      select p.created_at from public.public_designs p
      where p.created_at >= s.at order by p.created_at offset least(greatest(list_sitemaps.most, 1), 50000) limit 1
    ) following
    -- more of one moment than a file takes: no end would come
    where following.created_at > s.at
  )
  select coalesce(jsonb_agg((extract(epoch from s.at) * 1000000)::bigint order by s.at), '[]') from starts s;
$$;
comment on function public.list_sitemaps(integer) is
  'Where the sitemap''s files begin, with most designs in each (50,000 at most).';

create function public.get_sitemap(since bigint, most integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_array(d.design_id, d.day) order by d.created_at), '[]') from (
    select p.design_id, p.created_at, to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
    from public.public_designs p
    where p.created_at >= timestamptz 'epoch' + get_sitemap.since * interval '1 microsecond'
    order by p.created_at limit least(greatest(get_sitemap.most, 0), 50000)
  ) d;
$$;
comment on function public.get_sitemap(bigint, integer) is
  'Ids and days of the public designs of a file that begins at that time. One value, for the API gives no more than 1,000 rows.';
-- Deliberately not granted to visitors: a list of everything is work, and the function design-page has it kept by caches.
revoke all on function public.list_sitemaps(integer), public.get_sitemap(bigint, integer) from public, anon, authenticated;
grant execute on function public.list_sitemaps(integer), public.get_sitemap(bigint, integer) to service_role;

-- Pictures of links ----------------------------------------------------------------------------------------------------

-- The function design-page makes `<publication id>.jpg` in the public bucket link-pictures when somebody first asks for it.
create function private.remove_link_picture() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- again ten minutes later: it may just be being made
  insert into private.object_tasks (kind, bucket, name, due_at)
  select 'remove', 'link-pictures', old.id::text || '.jpg', now() + pause
  from unnest(array[interval '0', interval '10 minutes']) as pause;
  return null;
end;
$$;
comment on function private.remove_link_picture() is 'What is taken back is shown by no link preview any more.';
revoke all on function private.remove_link_picture() from public;
create trigger remove_link_picture after delete on public.public_designs
  for each row execute function private.remove_link_picture();
