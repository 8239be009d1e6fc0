-- Which files were printed from, for the admin's order.

create function public.find_print_files(product text) returns table (side text, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  -- a plain Postgres has no Storage
  if to_regclass('storage.objects') is null then
    return;
  end if;
  return query
  select case when o.name like '%-back%' then 'back' else 'front' end, o.name
  from storage.objects o
  where o.bucket_id = 'print-files' and o.name in (
    select d.id::text || ending from public.designs d, unnest(array['.png', '-2.png']) ending
    where d.printify_product_id = find_print_files.product
    union
    select regexp_replace(f.name, '\.png$', ending)
    from public.design_versions v, unnest(v.print_files) f (name), unnest(array['.png', '-2.png']) ending
    where v.printify_product_id = find_print_files.product
  )
  order by o.created_at desc;
end;
$$;
comment on function public.find_print_files(text) is
  'The stored files of a print product, newest first: as they were made, and as they were made anew. For the functions, which show them '
  'to admins.';
revoke all on function public.find_print_files(text) from public, anon, authenticated;
grant execute on function public.find_print_files(text) to service_role;
