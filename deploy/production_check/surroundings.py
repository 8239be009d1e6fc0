"""What the schema model leaves out and a shop's safety rests on: roles, owners, keys that are off, broken indexes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg

from deploy.production_check.catalogue import SCHEMAS


@dataclass(frozen=True)
class Fault:
    """A fault of an area, with the SQL that mends it."""

    area: str
    detail: str
    sql: str


# How long the API's roles may keep a statement running, as every project of the platform has it.
_TIMEOUTS = {"anon": "3s", "authenticated": "8s"}
_ATTRIBUTES = """
select rolname, word from pg_roles, lateral (values
  (rolsuper, 'superuser'), (rolbypassrls <> (rolname = 'service_role'), 'bypassrls'), (rolcreaterole, 'createrole'),
  (rolcreatedb, 'createdb'), (rolcanlogin, 'login'), (rolreplication, 'replication')) has (it, word)
where it and rolname in ('anon', 'authenticated', 'service_role')
"""
_MEMBERSHIPS = """
select pg_get_userbyid(member) as role, quote_ident(pg_get_userbyid(roleid)) as group from pg_auth_members
where pg_get_userbyid(member) in ('anon', 'authenticated', 'service_role')
"""
_SETTINGS = """
select rolname as role, split_part(setting, '=', 1) as name, substr(setting, strpos(setting, '=') + 1) as value,
  d.setdatabase <> 0 as here
from pg_roles left join pg_db_role_setting d
  on d.setrole = pg_roles.oid and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
left join lateral unnest(d.setconfig) setting on true
where rolname in ('anon', 'authenticated', 'service_role')
"""
_KEYS_OFF = """
select distinct format('%%I.%%I', n.nspname, c.relname) as relation from pg_trigger t
join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
where t.tgisinternal and t.tgenabled <> 'O' and n.nspname = any (%s) order by 1
"""
_BROKEN_INDEXES = """
select format('%%I.%%I', n.nspname, c.relname) as name from pg_index i
join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
where not (i.indisvalid and i.indisready) and n.nspname = any (%s) order by 1
"""
_OWNERS = """
select kind, name, pg_get_userbyid(owner) as owner, quote_ident(pg_get_userbyid(s.nspowner)) as rightful
from (
  select case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
    format('%%I.%%I', n.nspname, c.relname), c.relowner, n.nspname
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'S')
  union all
  select case p.prokind when 'p' then 'procedure' else 'function' end,
    format('%%I.%%I(%%s)', n.nspname, p.proname, oidvectortypes(p.proargtypes)), p.proowner, n.nspname
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
) owned (kind, name, owner, schema)
cross join (select nspowner from pg_namespace where nspname = 'private') s
where schema = any (%s) and owner <> s.nspowner order by 2
"""


def read_faults(database: psycopg.Connection[Any]) -> list[Fault]:
    """All faults of the connected database."""
    schemas = [list(SCHEMAS)]
    return [
        *_roles(database),
        *(
            Fault(
                "triggers", f"foreign keys are off: {relation}", f"alter table {relation} enable trigger all"
            )
            for (relation,) in database.execute(_KEYS_OFF, schemas)
        ),
        *(
            Fault("tables", f"unfinished index: {name}", f"reindex index {name}")
            for (name,) in database.execute(_BROKEN_INDEXES, schemas)
        ),
        *(
            Fault("grants", f"owned by {owner}: {kind} {name}", f"alter {kind} {name} owner to {rightful}")
            for kind, name, owner, rightful in database.execute(_OWNERS, schemas)
        ),
    ]


def _roles(database: psycopg.Connection[Any]) -> list[Fault]:
    faults = []
    for role, word in database.execute(_ATTRIBUTES):
        without = word if (role, word) == ("service_role", "bypassrls") else f"no{word}"
        faults.append(Fault("roles", f"{role} is wrong in {word}", f"alter role {role} {without}"))
    for role, group in database.execute(_MEMBERSHIPS):
        faults.append(Fault("roles", f"{role} is a member of {group}", f"revoke {group} from {role}"))
    settings: dict[str, dict[str, str]] = {}
    for role, name, value, here in database.execute(_SETTINGS):
        of_role = settings.setdefault(role, {})
        if here and name:
            reset = f"format('alter role {role} in database %I reset {name}', current_database())"
            sql = f"do $$ begin execute {reset}; end $$"
            faults.append(Fault("roles", f"{role} has {name}={value} in this database", sql))
        elif name:
            of_role[name] = value
    for role, found in settings.items():
        expected = {"statement_timeout": _TIMEOUTS[role]} if role in _TIMEOUTS else {}
        for name in sorted({*found, *expected}):
            if found.get(name) != expected.get(name):
                value = expected.get(name)
                sql = f"alter role {role} " + (f"set {name} = '{value}'" if value else f"reset {name}")
                faults.append(Fault("roles", f"{role} has {name}={found.get(name, 'unset')}", sql))
    return faults
