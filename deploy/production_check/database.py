"""The database's catalog, compared with what sql/migrations make of an empty project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg
from localbase.postgres.schema.difference import difference
from localbase.postgres.schema.model import Kind, SchemaModel, SchemaObject, Statement
from localbase.postgres.schema.read import read_model
from localbase.postgres.schema.tables import Table

from deploy.backup.tables import applied_migrations, connect
from deploy.environment import ROOT, require
from deploy.errors import CommandError
from deploy.production_check.catalogue import load_catalogue, shop_part
from deploy.production_check.finding import Finding, Shop, finding
from deploy.production_check.surroundings import Fault, read_faults

_PUSH = "supabase db push"
_MEND = "run the SQL of `schema`, below, in the SQL editor"
_AREAS: dict[Kind, str] = {"function": "functions", "trigger": "triggers", "policy": "policies"}
_NAMES = ("tables", "row security", "functions", "triggers", "policies", "grants", "roles")


def check_database(shop: Shop) -> list[Finding]:
    """A finding an area; `schema`, where anything differs, has the SQL that mends it all."""
    (url,) = require(shop.environ, "SUPABASE_DB_URL")
    try:
        with connect(url) as database:
            return compare_database(database)
    except psycopg.Error as error:
        raise CommandError(f"The database does not let its catalog be read: {error.sqlstate}") from error


def compare_database(database: psycopg.Connection[Any]) -> list[Finding]:
    """The findings of the connected database."""
    applied = set(applied_migrations(database))
    actual = shop_part(read_model(database))
    expected = load_catalogue(database.info.server_version // 10_000)
    if not any(key.kind == "table" for key in actual.objects.keys() & expected.objects.keys()):
        return [Finding("migrations", "failed", "the migrations have not been applied", _PUSH)]
    faults = read_faults(database)
    problems = _compare(actual, expected)
    for fault in faults:
        problems[fault.area].append(fault.detail)
    differs = any(problems.values())
    migrations = _migrations(applied, differs=differs)
    mend = _PUSH + ", then check again" if migrations.mend == _PUSH else _MEND
    findings = [finding(name, problems[name], _sound(name, expected), mend) for name in _NAMES]
    if differs and mend == _MEND:
        sql = _script(actual, expected, faults)
        findings.append(Finding("schema", "failed", "SQL that mends what differs from sql/migrations", sql))
    return [migrations, *findings]


def _migrations(applied: set[str], *, differs: bool) -> Finding:
    written = {file.name.partition("_")[0] for file in (ROOT / "sql" / "migrations").glob("*.sql")}
    missing, unknown = sorted(written - applied), sorted(applied - written)
    if missing and not differs:
        mend = f"supabase migration repair --status applied {' '.join(missing)}"
        return Finding("migrations", "failed", f"made, but not noted as applied: {', '.join(missing)}", mend)
    if missing:
        return Finding("migrations", "failed", f"not applied: {', '.join(missing)}", _PUSH)
    problems = [f"not in sql/migrations: {', '.join(unknown)}"] if unknown else []
    mend = "check with the version of the shop that is deployed, or add them to sql/migrations"
    return finding("migrations", problems, f"{len(written)} applied", mend)


def _sound(name: str, expected: SchemaModel) -> str:
    kinds = [key.kind for key in expected.objects]
    if name == "tables":
        return f"{kinds.count('table')} tables, {kinds.count('view')} views, {kinds.count('index')} indexes"
    if kind := {area: kind for kind, area in _AREAS.items()}.get(name):
        return f"{kinds.count(kind)} as written"
    return {"row security": "on for every table", "grants": "as written"}.get(name, "as a project has them")


def _compare(actual: SchemaModel, expected: SchemaModel) -> dict[str, list[str]]:
    """What differs, by area: what is missing, what the migrations do not make, what is another than they make."""
    old, new = actual.objects, expected.objects
    named: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key in sorted({*old, *new}):
        was, wanted = old.get(key), new.get(key)
        item = was or wanted
        if item is None or was == wanted or _goes_with_its_table(item, actual, expected):
            continue
        area = _AREAS.get(key.kind, "tables")
        if was is None or wanted is None:
            named[area, "missing" if was is None else "not ours"].append(_title(item))
            continue
        if isinstance(was, Table) and isinstance(wanted, Table) and was.row_security < wanted.row_security:
            named["row security", "off"].append(was.key.address)
        elif _rest(was) != _rest(wanted):
            named[area, "changed"].append(_title(item))
        if was.access != wanted.access:
            named["grants", "changed"] += _rights(was, wanted)
    for key, item in old.items():
        if isinstance(item, Table) and key not in new and not item.row_security:
            named["row security", "off"].append(key.address)
    problems: dict[str, list[str]] = defaultdict(list)
    for (area, words), names in sorted(named.items()):
        problems[area].append(f"{words}: {', '.join(sorted(names))}")
    return problems


def _goes_with_its_table(item: SchemaObject, actual: SchemaModel, expected: SchemaModel) -> bool:
    parent = item.parent
    return parent is not None and (parent in actual.objects) != (parent in expected.objects)


def _title(item: SchemaObject) -> str:
    return f"default of {item.address}" if item.key.kind == "default" else item.address


def _rest(item: SchemaObject) -> tuple[object, ...]:
    """All of it but its rights."""
    fields = [name for each in type(item).__mro__ for name in getattr(each, "__slots__", ())]
    return tuple(getattr(item, name) for name in fields if name not in ("access", "row_security"))


def _rights(was: SchemaObject, wanted: SchemaObject) -> Iterator[str]:
    old, new = (each.access.privileges if each.access else frozenset() for each in (was, wanted))
    for words, rights in (("too many", old - new), ("too few", new - old)):
        for right in sorted(rights):
            column = f" ({right.column})" if right.column else ""
            yield f"{words} {was.key.address}: {right.grantee or 'public'} {right.name}{column}"


def _script(actual: SchemaModel, expected: SchemaModel, faults: Iterable[Fault]) -> str:
    """The SQL, in an order that works. What would take rows away is a comment: somebody looks first."""
    statements = [*difference(actual, expected), *(Statement(fault.sql) for fault in faults)]
    return "\n".join(
        f"-- loses {each.loss}: {each.sql};".replace("\n", " ") if each.loss else f"{each.sql};"
        for each in statements
    )
