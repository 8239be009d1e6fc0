"""Files as other tools write them, by the commands that run them; and files that are missed before anything is made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.localbase.integration.small_project import SmallProject

ROWS = "copy shop.things from stdin; create index concurrently on shop.things (name);\n{0}\tof {0}\n\\.\n"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    with SmallProject(tmp_path / "project") as made:
        yield made


def test_start_reset_and_migration_up_run_what_other_tools_write(project: SmallProject) -> None:
    migrations = project.root / "supabase" / "migrations"
    (migrations / "20260101000001_rows.sql").write_bytes(ROWS.format(2).encode("utf-16"))
    (migrations / "notes.txt").write_text("no migration")
    (project.root / "supabase" / "seed.sql").write_text(ROWS.format(1))
    started = project.run("start")
    assert started.returncode == 0, started.stderr
    assert "skipped notes.txt" in started.stderr
    assert [row["id"] for row in project.things().json()] == [2, 1]
    (migrations / "20260101000002_rows.sql").write_bytes(ROWS.format(3).encode("utf-8-sig"))
    applied = project.run("migration", "up")
    assert applied.returncode == 0, applied.stderr
    assert [row["id"] for row in project.things().json()] == [2, 1, 3]
    reset = project.run("db", "reset")
    assert reset.returncode == 0, reset.stderr
    assert [row["id"] for row in project.things().json()] == [2, 3, 1]


@pytest.mark.parametrize("command", [["start"], ["db", "reset"]])
def test_missing_key_file_is_reported_before_a_database_is_made(
    project: SmallProject, command: list[str]
) -> None:
    with (project.root / "supabase" / "config.toml").open("a") as config:
        config.write('[auth]\nsigning_keys_path = "./signing_keys.json"\n')
    done = project.run(*command)
    assert done.returncode == 1
    assert "signing_keys.json cannot be read" in done.stderr
    assert "gen signing-key" in done.stderr
    assert not project.data.exists()
