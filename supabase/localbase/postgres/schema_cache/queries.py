"""The queries behind `catalog`: each answers one row with one JSON document. They run with an empty search
path.

$1 is the list of exposed schemas, $2 of VIEWS the extra search path; the last parameter of RELATIONS and KEYS says
whether partitions count.
"""

RELATIONS = """
select coalesce(json_agg(relation), '[]')
from (
  select
    n.nspname as schema, c.relname as name, c.oid::bigint as oid, c.reltype::bigint as type_oid, c.relkind as kind,
    obj_description(c.oid, 'pg_class') as description,
    case
      when c.relkind in ('r', 'p') then 28
      when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true)
      else 0
    end as writable,
    coalesce((
      select json_agg(a.attname order by array_position(k.conkey, a.attnum))
      from pg_constraint k join pg_attribute a on a.attrelid = c.oid and a.attnum = any (k.conkey)
      where k.conrelid = c.oid and k.contype = 'p'
    ), '[]') as primary_key,
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname,
        'position', a.attnum,
        'type', case
          when base.typnamespace = 'pg_catalog'::regnamespace
            then format_type(case when t.typtype = 'd' then base.oid else t.oid end, null)
          else format_type(a.atttypid, a.atttypmod)
        end,
        'nominal', format_type(a.atttypid, a.atttypmod),
        'nullable', not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
        'default', case
          when a.attidentity = 'd' then (
            select format('nextval(%L)', d.objid::regclass) from pg_depend d
            where d.refobjid = c.oid and d.refobjsubid = a.attnum and d.deptype = 'i'
              and d.classid = 'pg_class'::regclass
              and d.refclassid = 'pg_class'::regclass limit 1)
          when a.attgenerated <> '' then null
          when ad.adbin is null and t.typtype = 'd' then pg_get_expr(t.typdefaultbin, 0)
          else pg_get_expr(ad.adbin, ad.adrelid)
        end,
        'identity', a.attidentity,
        'max_length', case when base.typname in ('varchar', 'bpchar') and a.atttypmod > 4 then a.atttypmod - 4
        end, 'enum', coalesce((
          select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = base.oid),
          '[]'),
        'description', col_description(c.oid, a.attnum),
        'type_oid', a.atttypid::bigint,
        'generated', a.attgenerated <> ''
      ) order by a.attnum)
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      join base_types on base_types.oid = t.oid
      join pg_type base on base.oid = base_types.base
      left join pg_attrdef ad on ad.adrelid = c.oid and ad.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and (not c.relispartition or $2::bool) and n.nspname = any ($1::text[])
  order by n.nspname, c.relname
) relation
"""

# A domain over a domain counts as its innermost type. pg_basetype() exists from Postgres 17 on; this works
# from 15.
BASE_TYPES = """
with recursive walk as (
  select oid, oid as base, typtype, typbasetype from pg_type
  union all
  select walk.oid, t.oid, t.typtype, t.typbasetype
  from walk join pg_type t on t.oid = walk.typbasetype and walk.typtype = 'd'
),
base_types as (select oid, base from walk where typtype <> 'd')
"""

KEYS = """
select coalesce(json_agg(key order by key.name), '[]')
from (
  select
    k.conname as name, k.contype as kind,
    n.nspname as schema, c.relname as relation, c.oid::bigint as oid, k.conkey as positions,
    (select json_agg(a.attname order by p.ord) from unnest(k.conkey) with ordinality p (num, ord)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.num) as columns,
    fn.nspname as foreign_schema, f.relname as foreign_relation, f.oid::bigint as foreign_oid,
    k.confkey as foreign_positions,
    (select json_agg(a.attname order by p.ord) from unnest(k.confkey) with ordinality p (num, ord)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.num) as foreign_columns
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_class f on f.oid = k.confrelid
  left join pg_namespace fn on fn.oid = f.relnamespace
  where k.contype in ('p', 'u', 'f') and k.conparentid = 0 and (not c.relispartition or $1::bool)
    and n.nspname not in ('pg_catalog', 'information_schema')
) key
"""

VIEWS = """
select coalesce(json_agg(view), '[]')
from (
  select
    n.nspname as schema, c.relname as name, c.oid::bigint as oid, r.ev_action::text as rule,
    (select json_object_agg(a.attnum, a.attname) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
  where c.relkind in ('v', 'm') and n.nspname = any ($1::text[] || $2::text[])
) view
"""

FUNCTIONS = """
select coalesce(json_agg(function), '[]')
from (
  select
    n.nspname as schema, p.proname as name, obj_description(p.oid, 'pg_proc') as description,
    p.provolatile as volatility, p.proretset as is_set,
    coalesce(p.proargmodes::text[] && '{t,b,o}', false) or t.typtype = 'c' as is_composite,
    tn.nspname as return_schema, coalesce(rel.relname, t.typname) as return_type,
    case when media.typtype = 'd' then media.typname end as return_domain, (
      select quote_ident(sn.nspname) || '.' || quote_ident(s.proname)
      from pg_proc s join pg_namespace sn on sn.oid = s.pronamespace where s.oid = media.typsend
    ) as output,
    coalesce(p.proconfig, '{}') as settings,
    coalesce((
      select json_agg(json_build_object(
        'name', coalesce(a.name, ''),
        'type', a.type::regtype::text,
        'cast', case a.type::regtype::text
          when 'bit' then 'bit varying' when 'bit[]' then 'bit varying[]'
          when 'character' then 'character varying' when 'character[]' then 'character varying[]'
          else a.type::regtype::text end,
        'required', a.place <= p.pronargs - p.pronargdefaults,
        'variadic', coalesce(a.mode = 'v', false),
        'type_oid', a.type::bigint
      ) order by a.place)
      from (
        select input.type, input.name, input.mode, row_number() over (order by input.ord) as place
        from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
          with ordinality input (type, name, mode, ord)
        where input.type is not null and coalesce(input.mode, 'i') in ('i', 'b', 'v')
      ) a
    ), '[]') as parameters,
    p.prorettype::bigint as type_oid, p.prorows as rows,
    coalesce((
      select json_agg(json_build_array(coalesce(output.name, ''), output.type::bigint) order by output.ord)
      from unnest(p.proallargtypes, p.proargnames, p.proargmodes) with ordinality output (type, name, mode, ord)
      where output.mode = 't'
    ), '[]') as columns
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join base_types b on b.oid = p.prorettype
  join pg_type t on t.oid = b.base
  join pg_type media on media.oid = p.prorettype
  join pg_namespace tn on tn.oid = t.typnamespace
  left join pg_class rel on rel.oid = t.typrelid
  where p.prokind = 'f' and n.nspname = any ($1::text[])
    and t.oid not in ('trigger'::regtype, 'event_trigger'::regtype)
  order by n.nspname, p.proname, p.pronargs, pg_get_function_identity_arguments(p.oid)
) function
"""

# Functions of one row type that return rows of a relation stand for a relationship.
COMPUTED_RELATIONSHIPS = """
select coalesce(json_agg(computed), '[]')
from (
  select
    n.nspname as schema, p.proname as name,
    an.nspname as table_schema, a.relname as table_name,
    rn.nspname as foreign_schema, r.relname as foreign_name,
    not p.proretset or p.prorows = 1 as to_one
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_class a on a.reltype = p.proargtypes[0] and a.reltype <> 0
  join pg_namespace an on an.oid = a.relnamespace
  join pg_class r on r.reltype = p.prorettype and r.reltype <> 0
  join pg_namespace rn on rn.oid = r.relnamespace
  where p.pronargs = 1 and p.prokind = 'f' and an.nspname = any ($1::text[])
    and a.relkind in ('r', 'p', 'v', 'm', 'f') and r.relkind in ('r', 'p', 'v', 'm', 'f')
  order by n.nspname, p.proname
) computed
"""

# An aggregate that returns a domain named like a media type makes that type from the rows of one relation, or of any.
MEDIA_HANDLERS = """
select coalesce(json_agg(handler order by handler.schema, handler.name), '[]')
from (
  select
    n.nspname as schema, p.proname as name, lower(d.typname) as media, (
      select quote_ident(sn.nspname) || '.' || quote_ident(s.proname)
      from pg_proc s join pg_namespace sn on sn.oid = s.pronamespace where s.oid = d.typsend
    ) as output,
    case when a.typname = 'anyelement' then null else an.nspname end as target_schema,
    case when a.typname = 'anyelement' then null else c.relname end as target_name
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_type d on d.oid = p.prorettype and d.typtype = 'd'
  join pg_type a on a.oid = p.proargtypes[0]
  join pg_namespace an on an.oid = a.typnamespace
  left join pg_class c on c.oid = a.typrelid and c.relkind in ('r', 'p', 'v', 'm', 'f')
  where p.prokind = 'a' and p.pronargs = 1 and n.nspname = any ($1::text[])
    and (a.oid = 'anyelement'::regtype or c.oid is not null)
    and d.typname ~* '^([a-z0-9.-]+/[a-z0-9.+-]+|[*]/[*])$'
) handler
"""

# Implicit casts of a domain from and to JSON and text: Postgres itself ignores them, they say how the API shows the
# domain's values and reads them.
REPRESENTATIONS = """
select coalesce(json_agg(json_build_array(c.castsource::regtype, c.casttarget::regtype, c.castfunc::regproc)), '[]')
from pg_cast c
join pg_type s on s.oid = c.castsource
join pg_type t on t.oid = c.casttarget
where c.castcontext = 'i' and c.castmethod = 'f' and has_function_privilege(c.castfunc, 'execute')
  and ((s.typtype = 'd' and c.casttarget in ('json'::regtype, 'text'::regtype))
    or (t.typtype = 'd' and c.castsource in ('json'::regtype, 'text'::regtype)))
"""

# What `alter role … set …` gives to the roles that this login may become, and the login's own `pgrst.*`
# settings.
ROLE_SETTINGS = """
select coalesce(json_agg(json_build_object(
  'role', r.rolname, 'own', r.rolname = session_user, 'settings', s.setconfig) order by s.setdatabase), '[]')
from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
where (s.setdatabase = 0
    or r.rolname = session_user and s.setdatabase = (select oid from pg_database where datname = current_database()))
  and pg_has_role(session_user, r.oid, 'member')
"""

USER_SETTINGS = """
select coalesce(json_agg(name), '[]') from pg_settings
where context = 'user' or has_parameter_privilege(session_user, name, 'set')
"""

SCHEMAS = """
select coalesce(json_object_agg(n.nspname, obj_description(n.oid, 'pg_namespace')), '{}')
from pg_namespace n where n.nspname = any ($1::text[])
"""
