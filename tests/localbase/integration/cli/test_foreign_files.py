"""Migrations as other tools write them: `db push` here and that of the official CLI, each on a fresh database.

The official command takes longer than all the rest. What it made of a folder is in `official_outcomes.json`, beside a
digest of that folder and of the command's version; of any other folder, and in the weekly run, it is asked anew.
OFFICIAL=write stores what it has made.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from localbase.cli.main import main

from tests.localbase.integration.cli.foreign_files import FOLDERS, Folder
from tests.localbase.integration.schema_cluster import SchemaCluster
from tests.support.official_cli import PACKAGES, run_official_cli
from tests.support.random_cases import TIMES

_OUTCOMES = Path(__file__).with_name("official_outcomes.json")

_OBJECTS = """
select relname::text, relkind::text, coalesce(pg_get_indexdef(oid), ''), '' from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'i')
union all select proname::text, 'function', prosrc, '' from pg_proc where pronamespace = 'public'::regnamespace
union all select typname::text, 'enum', enumlabel::text, '' from pg_enum join pg_type t on t.oid = enumtypid
order by 1, 2, 3
"""


@dataclass(frozen=True)
class Outcome:
    """A command's result for a folder."""

    refused: bool
    versions: tuple[str, ...]
    objects: list[tuple[str, ...]]
    rows: dict[str, list[str]]


class Twin:
    """A database that is emptied for each command: making one takes longer than all that a command does in it."""

    def __init__(self, server: psycopg.Connection) -> None:
        self._server = server
        info = server.info
        self.address = f"postgresql://postgres:postgres@localhost:{info.port}/twin?host={info.host}"
        server.execute("create database twin owner postgres template template0")

    def empty(self) -> None:
        """Takes away all that any of the folders makes."""
        self._server.execute("drop database if exists made_by_a_migration")
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute("drop schema if exists public, supabase_migrations cascade")
            connection.execute("create schema public")


@pytest.fixture(scope="module")
def twin(cluster: SchemaCluster) -> Twin:
    return Twin(cluster.server)


def write(folder: Folder, root: Path) -> None:
    migrations = root / "supabase" / "migrations"
    migrations.mkdir(parents=True)
    (root / "supabase" / "config.toml").write_text('project_id = "foreign"\n')
    for name, text in folder.files.items():
        path = migrations / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(text, str) and text.startswith("-> "):
            path.symlink_to(text.removeprefix("-> "))
        else:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())


def outcome(address: str, *, refused: bool) -> Outcome:
    with psycopg.connect(address) as connection:
        made = connection.execute("select to_regclass('supabase_migrations.schema_migrations')").fetchone()
        sql = "select version from supabase_migrations.schema_migrations order by 1"
        versions = connection.execute(sql).fetchall() if made != (None,) else []
        objects = connection.execute(_OBJECTS).fetchall()
        rows = {
            name: [str(row) for row in connection.execute(f'select * from public."{name}"'.encode())]
            for name, kind, *_ in objects
            if kind == "r"
        }
    return Outcome(refused, tuple(row[0] for row in versions), objects, rows)


def digest(folder: Folder) -> str:
    """What the official command's outcome depends on."""
    files = sorted(
        (name, text.encode() if isinstance(text, str) else text) for name, text in folder.files.items()
    )
    return hashlib.sha256(repr((PACKAGES, files)).encode()).hexdigest()[:16]


def stored_outcomes() -> dict[str, dict[str, Any]]:
    """The official command's outcomes by the folders' digests."""
    stored: dict[str, dict[str, Any]] = json.loads(_OUTCOMES.read_text(encoding="utf-8"))
    return stored


def official_outcome(twin: Twin, folder: Folder, root: Path) -> dict[str, Any]:
    """What the official command makes of the folder, which lies at `root`."""
    key, stored = digest(folder), stored_outcomes()
    if TIMES == 1 and key in stored:
        return stored[key]
    twin.empty()
    done = run_official_cli(["db", "push", f"--remote={twin.address}", *arguments(root)], root, root, {})
    made = as_stored(outcome(twin.address, refused=done.returncode != 0))
    if os.environ.get("OFFICIAL") == "write":
        current = {digest(each) for each in FOLDERS.values()}
        kept = {each: stored[each] for each in stored if each in current} | {key: made}
        lines = [
            f"  {json.dumps(each)}: {json.dumps(kept[each], ensure_ascii=False)}" for each in sorted(kept)
        ]
        _OUTCOMES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    else:
        assert stored.get(key, made) == made, "the stored outcome is another one"
    return made


def as_stored(made: Outcome) -> dict[str, Any]:
    """The outcome as JSON keeps it."""
    stored: dict[str, Any] = json.loads(json.dumps(asdict(made)))
    return stored


def arguments(root: Path) -> list[str]:
    return ["--include-seed", "--include-roles", "--workdir", str(root), "--yes"]


@pytest.mark.parametrize("name", FOLDERS)
def test_folder_becomes_what_the_official_command_makes_of_it(
    twin: Twin, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    folder = FOLDERS[name]
    write(folder, tmp_path)
    twin.empty()
    code = main(["db", "push", "--db-url", twin.address, *arguments(tmp_path)])
    ours = outcome(twin.address, refused=code != 0)
    shown = capsys.readouterr().err
    assert (code, ours.versions) == (int(folder.refused), folder.versions), shown
    assert folder.says in shown
    theirs = official_outcome(twin, folder, tmp_path)
    assert (as_stored(ours) != theirs) == bool(folder.differs), f"{ours}\n{theirs}\n{shown}"


def test_every_folder_has_a_stored_outcome() -> None:
    assert set(stored_outcomes()) == {digest(folder) for folder in FOLDERS.values()}
