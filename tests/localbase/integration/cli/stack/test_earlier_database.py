"""A database made by other migrations: the command reports it and applies nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.localbase.integration.small_project import MIGRATION, SmallProject


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with SmallProject(tmp_path_factory.mktemp("earlier") / "project") as made:
        yield made


def test_squashed_migrations_are_not_applied_to_a_database_of_the_old_ones(project: SmallProject) -> None:
    project.start()
    old = project.root / "supabase" / "migrations" / "20260101000000_things.sql"
    old.unlink()
    # Without new files there is nothing to go wrong: another branch may have made the database.
    assert project.run("stop").returncode == 0
    project.start()
    project.migration("20260201000000_all.sql", MIGRATION)
    for command in (("migration", "up"), ("stop",), ("start",)):
        done = project.run(*command)
    assert done.returncode == 1
    assert f"The database has migrations that {old.parent} lacks: 20260101000000." in done.stderr
    assert "or make the database anew, without its present data: `supabase db reset`" in done.stderr
    assert project.run("db", "reset").returncode == 0
    assert project.things().json() == [{"id": 1, "name": "first"}]
    with project.database() as database:
        rows = database.execute("select version from supabase_migrations.schema_migrations").fetchall()
    assert rows == [("20260201000000",)]


def test_migration_that_fails_on_changed_ones_says_so(project: SmallProject) -> None:
    project.start()
    applied = next((project.root / "supabase" / "migrations").glob("*_all.sql"))
    text = applied.read_text()
    applied.write_text(text + "create table shop.later (id int);")
    project.migration("20260301000000_on_it.sql", "insert into shop.later values (1);")
    failed = project.run("migration", "up")
    assert failed.returncode == 1
    assert f"migration {applied.name} has changed since it was applied" in failed.stderr
    assert f"Applied migrations have changed since ({applied.name}), and this one may build" in failed.stderr
    assert "without its present data: `supabase db reset`" in failed.stderr
    assert project.run("db", "reset").returncode == 0
    applied.write_text(f"{text}create table shop.later (id int);\n-- a comment is no change\n")
    project.migration("20260401000000_next.sql", "insert into shop.later values (2);")
    done = project.run("migration", "up")
    assert done.returncode == 0
    assert "has changed" not in done.stderr
