-- What `make production-check` reads: who may do what in this database, so that it can be compared with these files.

create function public.describe_access() returns jsonb
language sql stable set search_path = '' as $$
  with roles (oid, name) as (
    select r.oid, r.rolname::text from pg_catalog.pg_roles r where r.rolname in ('anon', 'authenticated')
  ),
  granted (relation, role, privilege) as (
    select c.oid, r.name, p.privilege_type
    from pg_catalog.pg_class c
    cross join lateral pg_catalog.aclexplode(c.relacl) p
    join roles r on p.grantee in (0, r.oid)
    union
    select a.attrelid, r.name, p.privilege_type || '(' || string_agg(a.attname, ',' order by a.attname) || ')'
    from pg_catalog.pg_attribute a
    cross join lateral pg_catalog.aclexplode(a.attacl) p
    join roles r on p.grantee in (0, r.oid)
    group by a.attrelid, r.name, p.privilege_type
  ),
  relations as (
    select c.oid, n.nspname || '.' || c.relname as name, c.relkind = 'v' as is_view, c.relrowsecurity
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm') and (n.nspname = 'public' or n.nspname = 'storage' and c.relname = 'objects')
  )
  select jsonb_build_object(
    'relations', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', x.name,
        'is_view', x.is_view,
        'row_security', x.relrowsecurity,
        'policies', (
          select coalesce(jsonb_agg(p.polname order by p.polname), '[]') from pg_catalog.pg_policy p where p.polrelid = x.oid
        ),
        'grants', (
          select coalesce(jsonb_agg(g.role || ' ' || g.privilege order by g.role, g.privilege), '[]')
          from granted g where g.relation = x.oid
        )
      ) order by x.name), '[]') from relations x
    ),
    'functions', (
      select coalesce(jsonb_agg(distinct r.name || ' ' || f.proname), '[]')
      from pg_catalog.pg_proc f cross join roles r
      where f.pronamespace = 'public'::regnamespace and has_function_privilege(r.oid, f.oid, 'execute')
    )
  );
$$;
comment on function public.describe_access() is
  'Tables and views with row security, policies and the grants of anon and authenticated, and the functions that these two may call.';
revoke all on function public.describe_access() from public;
grant execute on function public.describe_access() to service_role;
