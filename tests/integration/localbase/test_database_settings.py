"""What config.toml says of the database: secrets of the vault, and who may reach new tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import psycopg
from localbase.core.project import Project, open_project
from localbase.postgres.database_settings import apply_database_settings

from tests.integration.localbase.schema_cluster import run_as_project


def project(root: Path, text: str, **environ: str) -> Project:
    (root / "supabase").mkdir(exist_ok=True)
    (root / "supabase" / "config.toml").write_text(text)
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


def test_new_tables_are_reached_by_the_api_as_the_project_says(
    database: psycopg.Connection, tmp_path: Path
) -> None:
    plain = project(tmp_path, "")
    settings = plain.settings
    closed = replace(
        plain, settings=replace(settings, api=replace(settings.api, auto_expose_new_tables=False))
    )
    for name, chosen, reached in (("one", plain, True), ("two", closed, False), ("three", plain, True)):
        apply_database_settings(database, chosen)
        run_as_project(database, f"create table public.{name} (id int)")
        for role in ("anon", "authenticated", "service_role"):
            row = database.execute("select has_table_privilege(%s, %s, 'select')", [role, name]).fetchone()
            assert row == (reached,), (name, role)
