"""The catalog's queries for relations. Each answers rows of `class`, `oid` (what pg_depend calls it) and its facts.

They run with an empty search path, so that Postgres qualifies every name; `namespaces` is the list of schemas.
Names are quoted by `quote_ident`: the SQL that is made of them needs no quoting of its own.
"""

from __future__ import annotations


def access(acl: str, default: str, owner: str) -> str:
    """The rights on an object as JSON, without its owner's and the platform's own."""
    return f"""
    (select coalesce(json_agg(json_build_array(
        case when a.grantee = 0 then '' else quote_ident(pg_get_userbyid(a.grantee)) end,
        lower(a.privilege_type), a.is_grantable)), '[]')
      from aclexplode(coalesce({acl}, acldefault('{default}', {owner}))) a
      where a.grantee <> {owner} and pg_get_userbyid(a.grantee) not in ('postgres', 'supabase_admin'))
    """


_COLUMN_ACCESS = """
    (select coalesce(json_agg(json_build_array(
        case when g.grantee = 0 then '' else quote_ident(pg_get_userbyid(g.grantee)) end,
        lower(g.privilege_type), g.is_grantable, quote_ident(a.attname))), '[]')
      from pg_attribute a, aclexplode(a.attacl) g
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and g.grantee <> c.relowner and pg_get_userbyid(g.grantee) not in ('postgres', 'supabase_admin'))
"""

NAMESPACES = "select oid::bigint, nspname from pg_namespace"

SCHEMAS = f"""
select 'pg_namespace' as class, n.oid::bigint, quote_ident(n.nspname) as name,
  obj_description(n.oid, 'pg_namespace') as comment, {access("n.nspacl", "n", "n.nspowner")} as access
from pg_namespace n where n.oid = any (%(namespaces)s::oid[])
"""

TABLES = f"""
select 'pg_class' as class, c.oid::bigint, c.reltype::bigint as row_type,
  quote_ident(n.nspname) as schema, quote_ident(c.relname) as name, c.relkind::text as kind,
  c.relpersistence = 'u' as unlogged, c.relrowsecurity as row_security,
  c.relforcerowsecurity as forced_row_security,
  coalesce((select json_object_agg(option_name, option_value)
    from pg_options_to_table(c.reloptions)), '{{}}') as options,
  case c.relreplident when 'f' then 'full' when 'n' then 'nothing' when 'i' then
    'using index ' || (select quote_ident(i.relname) from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and x.indisreplident limit 1)
    else 'default' end as replica_identity,
  coalesce(pg_get_partkeydef(c.oid), '') as partition_key,
  coalesce(pg_get_expr(c.relpartbound, c.oid), '') as bound,
  coalesce((select json_agg(format('%%I.%%I', pn.nspname, p.relname) order by h.inhseqno)
    from pg_inherits h join pg_class p on p.oid = h.inhparent join pg_namespace pn on pn.oid = p.relnamespace
    where h.inhrelid = c.oid), '[]') as parents,
  (select format('server %%I', s.srvname) || coalesce(' options (' ||
      (select string_agg(format('%%I %%L', option_name, option_value), ', ')
        from pg_options_to_table(f.ftoptions)) || ')', '')
    from pg_foreign_table f join pg_foreign_server s on s.oid = f.ftserver where f.ftrelid = c.oid) as foreign,
  obj_description(c.oid, 'pg_class') as comment,
  {access("c.relacl", "r", "c.relowner")} as access, {_COLUMN_ACCESS} as column_access
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'f') and n.oid = any (%(namespaces)s::oid[])
"""

COLUMNS = """
select 'pg_class' as class, c.oid::bigint, a.attnum as position, d.oid::bigint as default_oid,
  quote_ident(n.nspname) as schema, quote_ident(c.relname) as relation, quote_ident(a.attname) as name,
  case c.relkind when 'f' then 'foreign table' else 'table' end as relation_kind,
  format_type(a.atttypid, a.atttypmod) as type,
  (select format('%%I.%%I', ln.nspname, l.collname) from pg_collation l
    join pg_namespace ln on ln.oid = l.collnamespace
    where l.oid = a.attcollation and a.attcollation <> t.typcollation) as collation,
  a.attnotnull as not_null, c.relispartition or not a.attislocal as inherited,
  pg_get_expr(d.adbin, d.adrelid) as expression,
  a.attgenerated::text as generated,
  case a.attidentity when 'a' then 'always' when 'd' then 'by default' else '' end as identity,
  s.oid::bigint as sequence_oid, quote_ident(sn.nspname) || '.' || quote_ident(s.relname) as sequence,
  concat_ws(E'\\n',
    case when q.seqincrement <> 1 then 'increment by ' || q.seqincrement end,
    case when q.seqmin <> 1 then 'minvalue ' || q.seqmin end,
    case when q.seqstart <> 1 then 'start with ' || q.seqstart end,
    case when q.seqmax <> (case q.seqtypid when 'bigint'::regtype then 9223372036854775807
      when 'integer'::regtype then 2147483647 else 32767 end) then 'maxvalue ' || q.seqmax end,
    case when q.seqcache <> 1 then 'cache ' || q.seqcache end,
    case when q.seqcycle then 'cycle' end) as sequence_options,
  (select string_agg(format('%%I %%L', option_name, option_value), ', ')
    from pg_options_to_table(a.attfdwoptions)) as foreign_options,
  col_description(c.oid, a.attnum) as comment
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_namespace n on n.oid = c.relnamespace
join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_depend o on a.attidentity <> '' and o.refobjid = c.oid and o.refobjsubid = a.attnum
  and o.deptype = 'i' and o.classid = 'pg_class'::regclass and o.refclassid = 'pg_class'::regclass
left join pg_class s on s.oid = o.objid
left join pg_namespace sn on sn.oid = s.relnamespace
left join pg_sequence q on q.seqrelid = s.oid
where c.relkind in ('r', 'p', 'f') and n.oid = any (%(namespaces)s::oid[]) and a.attnum > 0 and not a.attisdropped
order by c.oid, a.attnum
"""

CONSTRAINTS = """
select 'pg_constraint' as class, k.oid::bigint, k.conindid::bigint as index_oid, k.contype::text as type,
  quote_ident(n.nspname) as schema, quote_ident(c.relname) as relation, quote_ident(k.conname) as name,
  pg_get_constraintdef(k.oid) as definition, k.conparentid <> 0 or k.coninhcount > 0 as inherited,
  k.confrelid::bigint as foreign_oid,
  obj_description(k.oid, 'pg_constraint') as comment
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_namespace n on n.oid = c.relnamespace
where k.contype in ('p', 'u', 'c', 'x', 'f') and n.oid = any (%(namespaces)s::oid[])
order by k.contype <> 'p', k.conname
"""

INDEXES = """
select 'pg_class' as class, i.oid::bigint, quote_ident(n.nspname) as schema,
  quote_ident(c.relname) as relation, quote_ident(i.relname) as name,
  -- Postgres shows a partitioned index with ONLY, which would make one that is not valid.
  case when i.relkind = 'I' then replace(pg_get_indexdef(i.oid),
    'INDEX ' || quote_ident(i.relname) || ' ON ONLY ', 'INDEX ' || quote_ident(i.relname) || ' ON ')
    else pg_get_indexdef(i.oid) end as definition,
  exists (select from pg_inherits h where h.inhrelid = i.oid) as inherited,
  obj_description(i.oid, 'pg_class') as comment
from pg_index x
join pg_class i on i.oid = x.indexrelid
join pg_class c on c.oid = x.indrelid
join pg_namespace n on n.oid = i.relnamespace
where n.oid = any (%(namespaces)s::oid[]) and c.relkind in ('r', 'p', 'm')
  and not exists (select from pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x'))
"""

VIEWS = f"""
select 'pg_class' as class, c.oid::bigint, c.reltype::bigint as row_type, r.oid::bigint as rule_oid,
  quote_ident(n.nspname) as schema, quote_ident(c.relname) as name, c.relkind = 'm' as materialized,
  pg_get_viewdef(c.oid) as definition,
  coalesce((select json_object_agg(option_name, option_value)
    from pg_options_to_table(c.reloptions)), '{{}}') as options,
  (select json_agg(json_build_array(quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
      col_description(c.oid, a.attnum)) order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  obj_description(c.oid, 'pg_class') as comment,
  {access("c.relacl", "r", "c.relowner")} as access, {_COLUMN_ACCESS} as column_access
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
where c.relkind in ('v', 'm') and n.oid = any (%(namespaces)s::oid[])
"""

SEQUENCES = f"""
select 'pg_class' as class, c.oid::bigint, quote_ident(n.nspname) as schema, quote_ident(c.relname) as name,
  format_type(q.seqtypid, null) as type, q.seqstart::text as start, q.seqincrement::text as increment,
  q.seqmin::text as minimum, q.seqmax::text as maximum, q.seqcache::text as cache, q.seqcycle as cycle,
  (select d.refobjid::bigint from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
    and d.refclassid = 'pg_class'::regclass and d.deptype = 'a' and d.refobjsubid > 0) as owner_oid,
  (select d.refobjsubid from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
    and d.refclassid = 'pg_class'::regclass and d.deptype = 'a' and d.refobjsubid > 0) as owner_position,
  obj_description(c.oid, 'pg_class') as comment, {access("c.relacl", "s", "c.relowner")} as access
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_sequence q on q.seqrelid = c.oid
where n.oid = any (%(namespaces)s::oid[]) and not exists (
  select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'i')
"""
