"""The database: every table, policy and grant as sql/migrations has them, and no other."""

from __future__ import annotations

from typing import Any

from deploy.errors import CommandError
from deploy.production_check.finding import Finding, Shop, finding
from deploy.production_check.migrations import Access, read_access

_PUSH = "supabase db push"
_STRANGER = "sql/migrations is not what runs there: remove it in the SQL editor, or add it to a migration"


def check_database(shop: Shop) -> list[Finding]:
    response = shop.project.send("POST", "/rest/v1/rpc/describe_access", json={})
    if response.status_code == 404:
        return [Finding("tables", "failed", "the migrations have not been applied", _PUSH)]
    if response.status_code != 200:
        raise CommandError(f"Supabase refused describe_access: {response.status_code} {response.text[:200]}")
    return compare_access(response.json(), read_access())


def compare_access(actual: dict[str, Any], written: Access) -> list[Finding]:
    relations = {relation["name"]: relation for relation in actual["relations"]}
    return [
        _tables(relations, written),
        _row_security(relations),
        _policies(relations, written),
        _grants(relations, set(actual["functions"]), written),
    ]


def _tables(relations: dict[str, Any], written: Access) -> Finding:
    missing = sorted((written.tables | written.views) - set(relations))
    problems = [f"missing: {', '.join(missing)}"] if missing else []
    return finding("tables", problems, f"{len(written.tables)} tables, {len(written.views)} views", _PUSH)


def _row_security(relations: dict[str, Any]) -> Finding:
    open_tables = [
        name
        for name, relation in relations.items()
        if name.startswith("public.") and not relation["is_view"] and not relation["row_security"]
    ]
    problems = [f"without row security: {', '.join(open_tables)}"] if open_tables else []
    mend = " ".join(f"alter table {name} enable row level security;" for name in open_tables)
    return finding("row security", problems, "on for every table", mend)


def _policies(relations: dict[str, Any], written: Access) -> Finding:
    expected = {f"{table}: {name}" for table, names in written.policies.items() for name in names}
    actual = {f"{name}: {policy}" for name, relation in relations.items() for policy in relation["policies"]}
    missing, extra = sorted(expected - actual), sorted(actual - expected)
    return finding("policies", _differences(missing, extra), f"{len(expected)} as written", _mend(missing))


def _grants(relations: dict[str, Any], functions: set[str], written: Access) -> Finding:
    expected = {f"{table}: {grant}" for table, grants in written.grants.items() for grant in grants}
    actual = {
        f"{name}: {grant}"
        for name, relation in relations.items()
        if name.startswith("public.")
        for grant in relation["grants"]
    }
    missing = sorted(expected - actual) + sorted(written.functions - functions)
    extra = sorted(actual - expected) + sorted(functions - written.functions)
    ok = f"{len(expected)} of anon and authenticated, {len(written.functions)} of functions"
    return finding("grants", _differences(missing, extra), ok, _mend(missing))


def _differences(missing: list[str], extra: list[str]) -> list[str]:
    return [
        f"{kind}: {', '.join(names)}" for kind, names in (("missing", missing), ("not ours", extra)) if names
    ]


def _mend(missing: list[str]) -> str:
    return _PUSH if missing else _STRANGER
