"""The database's settings in config.toml: secrets of the vault, and who may reach new tables."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from localbase.core.project import Project, open_project
from localbase.postgres.database_settings import apply_database_settings

from tests.localbase.integration.schema_cluster import run_as_project
from tests.support.project_files import ProjectFiles


def project(root: Path, text: str, **environ: str) -> Project:
    ProjectFiles(text).write(root)
    return open_project(root, environ)


def test_secret_of_the_settings_is_in_the_vault_and_follows_them(
    database: psycopg.Connection, tmp_path: Path
) -> None:
    text = '[db.vault]\ntoken = "env(TOKEN)"\nabsent = "env(NOT_SET)"\nfixed = "as it is"\n'
    query = "select name, decrypted_secret from vault.decrypted_secrets order by name"
    for token in ("first", "second"):
        apply_database_settings(database, project(tmp_path, text, TOKEN=token))
        assert database.execute(query).fetchall() == [("fixed", "as it is"), ("token", token)]
    opened_project = project(tmp_path, text, TOKEN="hidden-from-logs")
    assert "hidden-from-logs" not in repr(opened_project.settings)


@pytest.mark.parametrize(
    ("setting", "reached"),
    [("", True), ("auto_expose_new_tables = true", True), ("auto_expose_new_tables = false", False)],
)
def test_new_tables_are_reached_by_the_api_as_the_project_says(
    database: psycopg.Connection, tmp_path: Path, setting: str, reached: bool
) -> None:
    # Whatever it said before.
    before = "true" if not reached else "false"
    apply_database_settings(database, project(tmp_path, f"[api]\nauto_expose_new_tables = {before}\n"))
    apply_database_settings(database, project(tmp_path, f"[api]\n{setting}\n"))
    run_as_project(
        database,
        "create table public.one (id serial); create function public.f() returns int language sql as 'select 1';"
        " revoke execute on function public.f() from public",
    )
    for role in ("anon", "authenticated", "service_role"):
        for right in ("select", "insert", "update", "delete"):
            assert _has(database, "table", role, "one", right) is reached, (role, right)
        # The official CLI leaves these.
        assert all(
            _has(database, "table", role, "one", right) for right in ("truncate", "references", "trigger")
        )
        assert [
            _has(database, "sequence", role, "one_id_seq", right) for right in ("usage", "select", "update")
        ] == [
            reached,
            reached,
            True,
        ]
        assert _has(database, "function", role, "f()", "execute") is reached


def test_next_start_does_not_give_back_what_a_migration_took(
    database: psycopg.Connection, tmp_path: Path
) -> None:
    opened = project(tmp_path, "")
    apply_database_settings(database, opened)
    run_as_project(
        database,
        "alter default privileges for role postgres in schema public revoke all on tables from anon",
    )
    apply_database_settings(database, opened)
    run_as_project(database, "create table public.one (id int)")
    assert not _has(database, "table", "anon", "one", "select")


def _has(database: psycopg.Connection, kind: str, role: str, name: str, right: str) -> bool:
    query = f"select has_{kind}_privilege(%s, %s, %s)"
    row = database.execute(query.encode(), [role, f"public.{name}", right]).fetchone()
    return row == (True,)
