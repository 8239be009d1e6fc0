-- The gallery's search. Under row security Postgres may not look into the trigram index before it knows which rows a
-- visitor may read, so "name contains" over the tables reads every public design. This function holds the rule itself:
-- only what is public leaves it, as the table's own rows, so that callers embed, order, page and count as on the table.

create function public.search_public_designs(search text) returns setof public.public_designs
language sql stable security definer set search_path = '' as $$
  select p.*
  from public.designs d
  join public.public_designs p on p.design_id = d.id
  where d.name ilike '%' || regexp_replace(search_public_designs.search, '([\\%_])', '\\\1', 'g') || '%';
$$;
comment on function public.search_public_designs(text) is
  'The public designs whose name contains the words, in any case; % and _ mean themselves. Everybody may call it: it '
  'shows no more than public_designs does.';
revoke all on function public.search_public_designs(text) from public;
grant execute on function public.search_public_designs(text) to anon, authenticated, service_role;
