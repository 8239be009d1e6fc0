"""The catalog's queries for types, routines, triggers and policies. As in `queries`."""

from __future__ import annotations

from localbase.postgres.schema.queries import access

TYPES = f"""
select 'pg_type' as class, t.oid::bigint, t.typarray::bigint as array_oid, t.typrelid::bigint as relation_oid,
  quote_ident(n.nspname) as schema, quote_ident(t.typname) as name, t.typtype::text as kind,
  coalesce((select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid), '[]')
    as labels,
  coalesce((select json_agg(json_build_array(quote_ident(a.attname), format_type(a.atttypid, a.atttypmod))
      order by a.attnum)
    from pg_attribute a where a.attrelid = t.typrelid and t.typtype = 'c' and a.attnum > 0 and not a.attisdropped),
    '[]') as attributes,
  case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) end as base,
  (select format('%%I.%%I', ln.nspname, l.collname) from pg_collation l
    join pg_namespace ln on ln.oid = l.collnamespace join pg_type b on b.oid = t.typbasetype
    where l.oid = t.typcollation and t.typcollation <> b.typcollation) as collation,
  pg_get_expr(t.typdefaultbin, 0) as default, t.typnotnull as not_null,
  coalesce((select json_agg(json_build_array(quote_ident(k.conname), pg_get_constraintdef(k.oid)) order by k.conname)
    from pg_constraint k where k.contypid = t.oid and k.contype = 'c'), '[]') as checks,
  coalesce((select json_agg(k.oid::bigint) from pg_constraint k where k.contypid = t.oid), '[]') as constraint_oids,
  case when r.rngtypid is not null then
    'create type ' || format('%%I.%%I', n.nspname, t.typname) || ' as range (subtype = '
      || format_type(r.rngsubtype, null)
      || case when r.rngsubdiff <> 0 then ', subtype_diff = ' || r.rngsubdiff::regproc else '' end
      || ', multirange_type_name = ' || format('%%I.%%I', mn.nspname, m.typname) || ')' end as range,
  m.oid::bigint as multirange_oid, obj_description(t.oid, 'pg_type') as comment,
  {access("t.typacl", "T", "t.typowner")} as access
from pg_type t
join pg_namespace n on n.oid = t.typnamespace
left join pg_range r on r.rngtypid = t.oid
left join pg_type m on m.oid = r.rngmultitypid
left join pg_namespace mn on mn.oid = m.typnamespace
left join pg_class c on c.oid = t.typrelid
where n.oid = any (%(namespaces)s::oid[]) and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
"""

FUNCTIONS = f"""
select 'pg_proc' as class, p.oid::bigint, quote_ident(n.nspname) as schema,
  format('%%I(%%s)', p.proname, oidvectortypes(p.proargtypes)) as name, p.prokind::text as kind,
  coalesce(pg_get_function_result(p.oid), '') as result, p.pronargdefaults as defaults,
  to_json(coalesce((select array_agg(coalesce(x.name, '') order by x.place)
    from unnest(p.proargnames) with ordinality x (name, place)), '{{}}')) as parameters,
  case when p.prokind <> 'a' then pg_get_functiondef(p.oid) else
    format('create aggregate %%I.%%I(%%s) (sfunc = %%s, stype = %%s', n.nspname, p.proname,
      case when g.aggkind = 'n' and p.pronargs = 0 then '*' else pg_get_function_arguments(p.oid) end,
      g.aggtransfn::regproc, format_type(g.aggtranstype, null))
      || case when g.agginitval is not null then format(', initcond = %%L', g.agginitval) else '' end
      || case when g.aggfinalfn <> 0 then format(', finalfunc = %%s', g.aggfinalfn::regproc) else '' end
      || case when g.aggcombinefn <> 0 then format(', combinefunc = %%s', g.aggcombinefn::regproc) else '' end
      || case when g.aggkind = 'h' then ', hypothetical' else '' end
      || format(', parallel = %%s)', case p.proparallel when 's' then 'safe' when 'r' then 'restricted'
        else 'unsafe' end) end as definition,
  obj_description(p.oid, 'pg_proc') as comment, {access("p.proacl", "f", "p.proowner")} as access
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
left join pg_aggregate g on g.aggfnoid = p.oid
where n.oid = any (%(namespaces)s::oid[])
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i')
"""

# In the platform's schemas too: a project has its own triggers and policies on auth.users and storage.objects.
TRIGGERS = """
select 'pg_trigger' as class, t.oid::bigint, n.oid::bigint as namespace, f.pronamespace::bigint as function_namespace,
  quote_ident(n.nspname) as schema, quote_ident(c.relname) as relation, quote_ident(t.tgname) as name,
  case c.relkind when 'v' then 'view' else 'table' end as relation_kind,
  pg_get_triggerdef(t.oid) as definition, t.tgparentid <> 0 as inherited,
  case t.tgenabled when 'D' then 'disable' when 'R' then 'enable replica' when 'A' then 'enable always'
    else 'enable' end as state,
  obj_description(t.oid, 'pg_trigger') as comment
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
join pg_namespace n on n.oid = c.relnamespace
join pg_proc f on f.oid = t.tgfoid
where not t.tgisinternal and n.oid = any (%(namespaces)s::oid[] || %(attached)s::oid[])
"""

POLICIES = """
select 'pg_policy' as class, p.oid::bigint, n.oid::bigint as namespace,
  quote_ident(n.nspname) as schema, quote_ident(c.relname) as relation, quote_ident(p.polname) as name,
  format('create policy %%I on %%I.%%I', p.polname, n.nspname, c.relname)
    || case when p.polpermissive then '' else ' as restrictive' end
    || ' for ' || case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
      when 'd' then 'delete' else 'all' end
    || ' to ' || (select string_agg(case r when 0 then 'public' else quote_ident(pg_get_userbyid(r)) end, ', '
      order by case r when 0 then 'public' else pg_get_userbyid(r) end) from unnest(p.polroles) r)
    || coalesce(E'\\n  using (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
    || coalesce(E'\\n  with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '') as definition,
  obj_description(p.oid, 'pg_policy') as comment
from pg_policy p
join pg_class c on c.oid = p.polrelid
join pg_namespace n on n.oid = c.relnamespace
where n.oid = any (%(namespaces)s::oid[] || %(attached)s::oid[])
"""

RULES = """
select 'pg_rewrite' as class, r.oid::bigint, quote_ident(n.nspname) as schema,
  quote_ident(c.relname) as relation, quote_ident(r.rulename) as name, pg_get_ruledef(r.oid) as definition,
  case c.relkind when 'v' then 'view' else 'table' end as relation_kind,
  obj_description(r.oid, 'pg_rewrite') as comment
from pg_rewrite r
join pg_class c on c.oid = r.ev_class
join pg_namespace n on n.oid = c.relnamespace
where r.rulename <> '_RETURN' and n.oid = any (%(namespaces)s::oid[])
"""

STATISTICS = """
select 'pg_statistic_ext' as class, s.oid::bigint, quote_ident(n.nspname) as schema,
  quote_ident(s.stxname) as name, pg_get_statisticsobjdef(s.oid) as definition,
  obj_description(s.oid, 'pg_statistic_ext') as comment
from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace
where n.oid = any (%(namespaces)s::oid[])
"""

EXTENSIONS = """
select 'pg_extension' as class, e.oid::bigint, quote_ident(e.extname) as name, n.oid::bigint as namespace,
  quote_ident(n.nspname) as schema
from pg_extension e join pg_namespace n on n.oid = e.extnamespace
"""

SERVERS = """
select 'pg_foreign_server' as class, s.oid::bigint, quote_ident(s.srvname) as name,
  format('create server %%I', s.srvname) || coalesce(format(' type %%L', s.srvtype), '')
    || coalesce(format(' version %%L', s.srvversion), '')
    || format(' foreign data wrapper %%I', w.fdwname) || coalesce(' options (' ||
      (select string_agg(format('%%I %%L', option_name, option_value), ', ')
        from pg_options_to_table(s.srvoptions)) || ')', '') as definition,
  obj_description(s.oid, 'pg_foreign_server') as comment
from pg_foreign_server s join pg_foreign_data_wrapper w on w.oid = s.srvfdw
"""

PUBLICATIONS = """
select 'pg_publication' as class, p.oid::bigint, quote_ident(p.pubname) as name, p.puballtables as all_tables,
  format('publish = %%L, publish_via_partition_root = %%s', concat_ws(', ', case when p.pubinsert then 'insert' end,
    case when p.pubupdate then 'update' end, case when p.pubdelete then 'delete' end,
    case when p.pubtruncate then 'truncate' end),
    case when p.pubviaroot then 'true' else 'false' end) as options,
  obj_description(p.oid, 'pg_publication') as comment
from pg_publication p where p.pubname not like 'supabase_realtime_messages%%'
"""

PUBLICATION_MEMBERS = """
select 'pg_publication_rel' as class, m.oid::bigint, p.oid::bigint as publication_oid, c.oid::bigint as relation_oid,
  quote_ident(p.pubname) as publication, quote_ident(n.nspname) as schema, quote_ident(c.relname) as relation,
  format('table %%I.%%I', n.nspname, c.relname) as member,
  coalesce(' (' || (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
    where a.attrelid = c.oid and a.attnum = any (m.prattrs)) || ')', '')
    || coalesce(' where (' || pg_get_expr(m.prqual, m.prrelid) || ')', '') as definition
from pg_publication_rel m
join pg_publication p on p.oid = m.prpubid
join pg_class c on c.oid = m.prrelid
join pg_namespace n on n.oid = c.relnamespace
where n.oid = any (%(namespaces)s::oid[])
union all
select 'pg_publication_namespace', m.oid::bigint, p.oid::bigint, null, quote_ident(p.pubname),
  quote_ident(n.nspname), null, format('tables in schema %%I', n.nspname), ''
from pg_publication_namespace m
join pg_publication p on p.oid = m.pnpubid
join pg_namespace n on n.oid = m.pnnspid
where n.oid = any (%(namespaces)s::oid[])
"""

EVENT_TRIGGERS = """
select 'pg_event_trigger' as class, e.oid::bigint, quote_ident(e.evtname) as name,
  format('create event trigger %%I on %%s', e.evtname, e.evtevent)
    || coalesce(' when tag in (' || (select string_agg(quote_literal(tag), ', ') from unnest(e.evttags) tag) || ')', '')
    || format(' execute function %%I.%%I()', n.nspname, f.proname) as definition,
  obj_description(e.oid, 'pg_event_trigger') as comment
from pg_event_trigger e
join pg_proc f on f.oid = e.evtfoid
join pg_namespace n on n.oid = f.pronamespace
where n.oid = any (%(namespaces)s::oid[])
"""

DEFAULT_ACCESS = """
select quote_ident(pg_get_userbyid(d.defaclrole)) as role, coalesce(quote_ident(n.nspname), '') as schema,
  case d.defaclobjtype::text when 'S' then 's' else d.defaclobjtype::text end as type,
  (select coalesce(json_agg(json_build_array(case when a.grantee = 0 then '' else
      quote_ident(pg_get_userbyid(a.grantee)) end, lower(a.privilege_type), a.is_grantable)), '[]')
    from aclexplode(d.defaclacl) a where a.grantee <> d.defaclrole
      and pg_get_userbyid(a.grantee) not in ('postgres', 'supabase_admin')) as access
from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace
where (d.defaclnamespace = 0 or n.oid = any (%(namespaces)s::oid[]))
  and pg_get_userbyid(d.defaclrole) <> 'supabase_admin'
"""

DEPENDENCIES = """
select classid::regclass::text, objid::bigint, objsubid, refclassid::regclass::text, refobjid::bigint, refobjsubid
from pg_depend where deptype in ('n', 'a', 'i', 'P', 'S') and objid >= 16384 -- not Postgres's own
"""

EXTENSION_MEMBERS = """
select classid::regclass::text, objid::bigint, refobjid::bigint from pg_depend
where deptype = 'e' and refclassid = 'pg_extension'::regclass
"""

# Kinds that are not compared: the person who relies on them writes their migration.
UNCOVERED = """
select kind || ' ' || name from (
  select 'operator', format('%%I.%%s', n.nspname, o.oprname), o.oid, 'pg_operator'::regclass, n.oid
  from pg_operator o join pg_namespace n on n.oid = o.oprnamespace
  union all select 'collation', format('%%I.%%I', n.nspname, o.collname), o.oid, 'pg_collation'::regclass, n.oid
  from pg_collation o join pg_namespace n on n.oid = o.collnamespace
  union all select 'text search configuration', format('%%I.%%I', n.nspname, o.cfgname), o.oid,
    'pg_ts_config'::regclass, n.oid
  from pg_ts_config o join pg_namespace n on n.oid = o.cfgnamespace
  union all select 'operator class', format('%%I.%%I', n.nspname, o.opcname), o.oid, 'pg_opclass'::regclass, n.oid
  from pg_opclass o join pg_namespace n on n.oid = o.opcnamespace
  union all select 'cast', format('(%%s as %%s)', o.castsource::regtype, o.casttarget::regtype), o.oid,
    'pg_cast'::regclass, f.pronamespace
  from pg_cast o join pg_proc f on f.oid = o.castfunc
) found (kind, name, oid, class, namespace)
where namespace = any (%(namespaces)s::oid[]) and not exists (
  select from pg_depend d where d.classid = found.class and d.objid = found.oid and d.deptype in ('e', 'i'))
order by 1
"""
