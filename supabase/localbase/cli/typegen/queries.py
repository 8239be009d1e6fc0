"""The catalogue's queries: each answers one JSON document.

Relations are those of all schemas: views show columns of others.
"""

TYPES = """
select coalesce(json_agg(json_build_object(
  'oid', t.oid::bigint, 'schema', n.nspname, 'name', t.typname, 'kind', t.typtype,
  'element', case when t.typcategory = 'A' then t.typelem::bigint else 0 end,
  'base', t.typbasetype::bigint,
  'relation', t.typrelid::bigint,
  'relation_kind', c.relkind,
  'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
  'attributes', (
    select json_agg(json_build_object('name', a.attname, 'type', a.atttypid::bigint) order by a.attnum)
    from pg_attribute a
    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped and c.relkind = 'c')
)), '[]')
from pg_type t
join pg_namespace n on n.oid = t.typnamespace
left join pg_class c on c.oid = t.typrelid
"""

RELATIONS = """
select coalesce(json_agg(relation order by relation.schema, relation.name), '[]')
from (
  select
    n.nspname as schema, c.relname as name, c.oid::bigint as oid, c.relkind as kind, c.reltype::bigint as type,
    pg_relation_is_updatable(c.oid, true) & 20 = 20 as writable,
    (
      select r.ev_action::text from pg_rewrite r where r.ev_class = c.oid and r.rulename = '_RETURN'
    ) as rule,
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname, 'position', a.attnum, 'type', a.atttypid::bigint,
        'required', a.attnotnull or (t.typtype = 'd' and t.typnotnull),
        'has_default', a.atthasdef or a.attidentity <> '' or t.typdefault is not null,
        'writable', a.attidentity <> 'a' and a.attgenerated = ''
          and (c.relkind not in ('v', 'f') or pg_column_is_updatable(c.oid, a.attnum, true))
      ) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and n.nspname not in ('pg_catalog', 'information_schema')
) relation
"""

KEYS = """
select coalesce(json_agg(key), '[]')
from (
  select
    k.conname as name, n.nspname as schema, k.conrelid::bigint as table, k.conkey as positions,
    k.confrelid::bigint as foreign_table, k.confkey as foreign_positions,
    exists (
      select from pg_constraint u
      where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey @> k.conkey and u.conkey <@ k.conkey
    ) as is_one_to_one
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  where k.contype = 'f' and k.conparentid = 0
) key
"""

FUNCTIONS = """
select coalesce(json_agg(function order by function.schema, function.name, function.arguments), '[]')
from (
  select
    n.nspname as schema, p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments,
    p.proretset as is_set, p.prorows as rows, p.prorettype::bigint as type,
    coalesce((
      select json_agg(json_build_object(
        'name', coalesce(input.name, ''), 'type', input.type::bigint, 'mode', coalesce(input.mode, 'i')
      ) order by input.ord)
      from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
        with ordinality input (type, name, mode, ord)
      where input.type is not null
    ), '[]') as parameters,
    p.pronargdefaults as defaults
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prokind = 'f' and n.nspname = any (%(schemas)s::text[])
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
) function
"""
