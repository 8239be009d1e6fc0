"""Weaknesses and slow spots that the catalog shows. Each check is a query for the places where it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import psycopg

from localbase.postgres.schema.scope import chosen_schemas

Level = Literal["info", "warn", "error"]
Type = Literal["security", "performance"]


@dataclass(frozen=True, slots=True)
class Check:
    """A kind of weakness; `query` gives schema, object and a detail. %(exposed)s and %(own)s are lists of schemas."""

    name: str
    type: Type
    level: Level
    message: str
    remedy: str
    query: str


@dataclass(frozen=True, slots=True)
class Advice:
    """A place where a check holds."""

    check: Check
    schema: str
    object: str
    detail: str


_REACHABLE = """
(has_table_privilege('anon', c.oid, 'select, insert, update, delete')
  or has_table_privilege('authenticated', c.oid, 'select, insert, update, delete'))
"""
_RELATIONS = "from pg_class c join pg_namespace n on n.oid = c.relnamespace"
_POLICIES = """
from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
cross join lateral (select concat_ws(' ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)))
  texts (expression)
"""
_FUNCTIONS = """
from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
where n.nspname = any (%(own)s) and l.lanname not in ('c', 'internal') and p.prokind in ('f', 'p')
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
"""

CHECKS = (
    Check(
        "rls_disabled",
        "security",
        "error",
        "The Data API serves this table, and no row-level security guards it.",
        "alter table … enable row level security, and write policies.",
        f"select n.nspname, c.relname, '' {_RELATIONS} where c.relkind in ('r', 'p') and not c.relrowsecurity "
        f"and n.nspname = any (%(exposed)s) and {_REACHABLE}",
    ),
    Check(
        "policy_without_rls",
        "security",
        "error",
        "The table has policies that guard nothing: row-level security is off.",
        "alter table … enable row level security.",
        f"select n.nspname, c.relname, string_agg(p.polname, ', ' order by p.polname) {_POLICIES} "
        "where not c.relrowsecurity and n.nspname = any (%(own)s) group by 1, 2",
    ),
    Check(
        "rls_without_policy",
        "security",
        "info",
        "Row-level security is on and there is no policy: the Data API shows no row.",
        "Write a policy, unless that is meant.",
        f"select n.nspname, c.relname, '' {_RELATIONS} where c.relkind in ('r', 'p') and c.relrowsecurity "
        "and n.nspname = any (%(own)s) and not exists (select from pg_policy p where p.polrelid = c.oid)",
    ),
    Check(
        "security_definer_view",
        "security",
        "error",
        "The view reads with its owner's rights: policies of the tables below it do not hold for callers.",
        "alter view … set (security_invoker = true).",
        f"select n.nspname, c.relname, '' {_RELATIONS} where c.relkind = 'v' and n.nspname = any (%(exposed)s) "
        f"and {_REACHABLE} and not coalesce((select option_value::boolean from pg_options_to_table(c.reloptions) "
        "where option_name = 'security_invoker'), false)",
    ),
    Check(
        "auth_users_exposed",
        "security",
        "error",
        "A view that the Data API serves reads auth.users.",
        "Copy the columns that may be seen into a table of your own, by a trigger.",
        f"select distinct n.nspname, c.relname, '' {_RELATIONS} join pg_rewrite r on r.ev_class = c.oid "
        "join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid "
        "where d.refobjid = to_regclass('auth.users') and c.relkind in ('v', 'm') and n.nspname = any (%(exposed)s) "
        f"and {_REACHABLE}",
    ),
    Check(
        "materialized_view_in_api",
        "security",
        "warn",
        "The Data API serves a materialised view, for which there are no policies.",
        "revoke select on … from anon, authenticated, or move it to another schema.",
        f"select n.nspname, c.relname, '' {_RELATIONS} where c.relkind = 'm' and n.nspname = any (%(exposed)s) "
        f"and {_REACHABLE}",
    ),
    Check(
        "foreign_table_in_api",
        "security",
        "warn",
        "The Data API serves a foreign table, for which there are no policies.",
        "revoke all on … from anon, authenticated, or move it to another schema.",
        f"select n.nspname, c.relname, '' {_RELATIONS} where c.relkind = 'f' and n.nspname = any (%(exposed)s) "
        f"and {_REACHABLE}",
    ),
    Check(
        "policy_reads_user_metadata",
        "security",
        "error",
        "A policy trusts user_metadata, which users change themselves.",
        "Read app_metadata, or a table of your own.",
        f"select n.nspname, c.relname, p.polname {_POLICIES} "
        "where expression ~ 'user_metadata' and n.nspname <> 'pg_catalog'",
    ),
    Check(
        "function_search_path_mutable",
        "security",
        "warn",
        "The function looks names up in its caller's search path.",
        "alter function … set search_path = '', and qualify the names in it.",
        f"select n.nspname, p.oid::regprocedure::text, '' {_FUNCTIONS} and not exists "
        "(select from unnest(p.proconfig) setting where setting like 'search_path=%%')",
    ),
    Check(
        "security_definer_function_in_api",
        "security",
        "warn",
        "Anonymous callers of the Data API can run this function with its owner's rights.",
        "revoke execute on function … from public, anon, unless that is meant.",
        f"select n.nspname, p.oid::regprocedure::text, '' {_FUNCTIONS} and p.prosecdef "
        "and n.nspname = any (%(exposed)s) and has_function_privilege('anon', p.oid, 'execute') "
        "and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)",
    ),
    Check(
        "extension_in_public",
        "security",
        "warn",
        "The extension's functions lie in the schema that the Data API serves.",
        "alter extension … set schema extensions.",
        "select n.nspname, e.extname, '' from pg_extension e join pg_namespace n on n.oid = e.extnamespace "
        "where n.nspname = 'public'",
    ),
    Check(
        "unindexed_foreign_key",
        "performance",
        "info",
        "No index begins with the foreign key's columns: deleting a referenced row reads the whole table.",
        "create index on … (the columns).",
        f"select n.nspname, c.relname, k.conname {_RELATIONS} join pg_constraint k on k.conrelid = c.oid "
        "where k.contype = 'f' and n.nspname = any (%(own)s) and k.conparentid = 0 "
        "and not exists (select from pg_index i where i.indrelid = c.oid and i.indisvalid"
        " and (select array_agg(x) from unnest((i.indkey::smallint[])"
        "[0:cardinality(k.conkey) - 1]) x) @> k.conkey)",
    ),
    Check(
        "duplicate_index",
        "performance",
        "warn",
        "Indexes are the same but for their names.",
        "drop index … of all but one.",
        "select n.nspname, c.relname, string_agg(i.relname, ', ' order by i.relname) from pg_index x "
        "join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid "
        "join pg_namespace n on n.oid = c.relnamespace where n.nspname = any (%(own)s) group by n.nspname, c.relname, "
        "x.indrelid, x.indkey::text, x.indclass::text, x.indoption::text, i.relam, x.indcollation::text, "
        "pg_get_expr(x.indexprs, x.indrelid), pg_get_expr(x.indpred, x.indrelid) having count(*) > 1",
    ),
    Check(
        "policy_calls_auth_for_each_row",
        "performance",
        "warn",
        "The policy calls a function of the session for each row.",
        "Write (select auth.uid()) instead of auth.uid(): it runs once for a statement.",
        f"select n.nspname, c.relname, p.polname {_POLICIES} where regexp_replace(lower(expression), "
        "'select (auth\\.(uid|jwt|role|email)\\(\\)|current_setting\\()', '', 'g') "
        "~ '(auth\\.(uid|jwt|role|email)\\(\\)|current_setting\\()' and n.nspname <> 'pg_catalog'",
    ),
    Check(
        "multiple_permissive_policies",
        "performance",
        "warn",
        "Several permissive policies hold for the same role and command: each is evaluated for each row.",
        "Make one policy of them, with `or`.",
        "select n.nspname, c.relname, format('%%s for %%s', string_agg(p.polname, ', ' order by p.polname), "
        "case role when 0 then 'public' else pg_get_userbyid(role) end) from pg_policy p "
        "join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace "
        "cross join unnest(p.polroles) role where p.polpermissive and n.nspname = any (%(own)s) "
        "group by n.nspname, c.relname, p.polcmd, role having count(*) > 1",
    ),
    Check(
        "no_primary_key",
        "performance",
        "info",
        "The table has no primary key.",
        "alter table … add primary key (…).",
        f"select n.nspname, c.relname, '' {_RELATIONS} where c.relkind in ('r', 'p') and not c.relispartition "
        "and n.nspname = any (%(own)s) and not exists "
        "(select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')",
    ),
)


def advise(connection: psycopg.Connection[Any], exposed: Sequence[str]) -> list[Advice]:
    """All places, the worst first. `exposed` are the schemas of the Data API."""
    names = [str(row[0]) for row in connection.execute("select nspname from pg_namespace").fetchall()]
    own = sorted(chosen_schemas(names, ()))
    scope = {"own": own, "exposed": sorted({*exposed} & {*own})}
    advice = [
        Advice(check, *map(str, row))
        for check in CHECKS
        for row in connection.execute(check.query.encode(), scope).fetchall()
    ]
    levels: tuple[Level, ...] = ("error", "warn", "info")
    return sorted(
        advice, key=lambda each: (levels.index(each.check.level), each.check.name, each.schema, each.object)
    )
