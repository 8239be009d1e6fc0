"""sql/migrations: one file a domain until the first release, and never changed after it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from tests.support.stacks import ROOT

SQL = ROOT / "sql"
_DEFINED = re.compile(r"^create(?: or replace)? function ([\w.]+)", re.MULTILINE)
_BODY = re.compile(
    r"^create(?: or replace)? function ([\w.]+)\(.*?\$(\w*)\$(.*?)\$\2\$", re.MULTILINE | re.DOTALL
)
_CHANGE = re.compile(r"^\s*(?:update|delete from) [\w.]+[^;]*;", re.MULTILINE)


def faults(released: Path, migrations: Path) -> list[str]:
    """Return what contradicts the list of released migrations."""
    digests = {
        name: digest
        for digest, name in (
            line.split() for line in released.read_text().splitlines() if line and not line.startswith("#")
        )
    }
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in migrations.glob("*.sql")}
    problems = [f"{name} was removed" for name in digests if name not in files]
    problems += [f"{name} was changed" for name in digests if name in files and files[name] != digests[name]]
    newest = max(digests, default="")
    problems += [f"{name} is older than a release" for name in files if name not in digests and name < newest]
    return sorted(problems)


def test_released_migrations_are_unchanged_and_new_ones_come_after_them() -> None:
    assert faults(SQL / "released_migrations.txt", SQL / "migrations") == []


def test_each_function_is_written_once_between_releases() -> None:
    released = (SQL / "released_migrations.txt").read_text()
    unreleased = [path for path in SQL.glob("migrations/*.sql") if path.name not in released]
    names = [name for path in unreleased for name in _DEFINED.findall(path.read_text())]
    assert [name for name in set(names) if names.count(name) > 1] == []


def unconditional(sources: list[str]) -> list[str]:
    """Return functions, as the last source has them, that change or delete every row of a table."""
    bodies = {name: body for source in sources for name, _, body in _BODY.findall(source)}
    return [
        f"{name}: {' '.join(change.split())}"
        for name, body in bodies.items()
        for change in _CHANGE.findall(body)
        if not re.search(r"\bwhere\b", change)
    ]


def test_functions_change_no_table_without_a_condition() -> None:
    """As the hosted platform's safeupdate refuses it, in functions too."""
    assert unconditional([path.read_text() for path in sorted(SQL.glob("migrations/*.sql"))]) == []


def test_change_without_a_condition_is_seen_where_it_was_not_mended() -> None:
    define = (
        "create{} function f() returns void language plpgsql as $$\nbegin\n  update t set a = 1{};\nend\n$$;"
    )
    faulty, sound = define.format("", ""), define.format(" or replace", " where true")
    assert unconditional([faulty]) == ["f: update t set a = 1;"]
    assert unconditional([faulty, sound]) == []


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("20260101000000_a.sql", "select 2;", "20260101000000_a.sql was changed"),
        ("20250101000000_b.sql", "select 1;", "20250101000000_b.sql is older than a release"),
    ],
)
def test_change_of_a_released_migration_is_found(tmp_path: Path, name: str, text: str, fault: str) -> None:
    released, migrations = tmp_path / "released.txt", tmp_path / "migrations"
    migrations.mkdir()
    (migrations / "20260101000000_a.sql").write_text("select 1;")
    released.write_text(f"# tagged\n{hashlib.sha256(b'select 1;').hexdigest()}  20260101000000_a.sql\n")
    assert faults(released, migrations) == []
    (migrations / name).write_text(text)
    assert faults(released, migrations) == [fault]
    (migrations / "20260101000000_a.sql").unlink()
    assert "20260101000000_a.sql was removed" in faults(released, migrations)
