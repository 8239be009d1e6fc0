"""`supabase db diff` on a small project: what it writes, what it warns of, what it never prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.localbase.integration.small_project import PORT, SmallProject

_NOTES = """
create table public.notes (id bigint generated always as identity primary key, body text not null, owner uuid);
alter table public.notes enable row level security;
create policy "own notes" on public.notes for select to authenticated using (owner = (select auth.uid()));
revoke update on public.notes from authenticated;
grant update (body) on public.notes to authenticated;
comment on table public.notes is 'What a user''s notes are';
"""
_NOTES_DIFFERENCE = """\
create table public.notes (
  id bigint generated always as identity not null,
  body text not null,
  owner uuid,
  constraint notes_pkey PRIMARY KEY (id)
);

alter table public.notes enable row level security;
comment on table public.notes is 'What a user''s notes are';

create policy "own notes" on public.notes for select to authenticated
  using ((owner = ( SELECT auth.uid() AS uid)));

revoke update on table public.notes from authenticated;
grant update (body) on table public.notes to authenticated;
"""


def _change(project: SmallProject, script: str, role: str = "postgres") -> None:
    with project.database(role) as connection:
        connection.execute(script.encode())


def test_diff_of_an_unchanged_database_is_empty(project: SmallProject) -> None:
    done = project.run("db", "diff")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "No schema changes found." in done.stderr


@pytest.mark.parametrize("role", ["postgres", "supabase_admin"])
def test_diff_of_a_new_table_has_no_grants_but_its_own(project: SmallProject, role: str) -> None:
    try:
        _change(project, _NOTES, role)
        done = project.run("db", "diff")
        assert done.returncode == 0, done.stderr
        # What another role has made, a migration makes as the project's role: its default privileges apply.
        if role == "postgres":
            assert done.stdout == _NOTES_DIFFERENCE
        assert "to postgres" not in done.stdout
    finally:
        _change(project, "drop table public.notes", role)


def test_diff_is_written_as_a_migration_that_makes_it_empty(project: SmallProject) -> None:
    _change(project, _NOTES)
    done = project.run("db", "diff", "-f", "Add notes!", "--output", "json")
    assert done.returncode == 0, done.stderr
    written = json.loads(done.stdout)
    path = Path(written["path"])
    try:
        assert path.name.endswith("_add_notes.sql")
        assert path.read_text() == written["sql"] == _NOTES_DIFFERENCE
        assert written["losses"] == []
        again = project.run("db", "diff")
        assert (again.returncode, again.stdout) == (0, ""), again.stderr
    finally:
        path.unlink()
        _change(project, "drop table public.notes")


def test_diff_warns_of_what_it_drops(project: SmallProject) -> None:
    _change(project, "alter table shop.things rename column name to title")
    try:
        done = project.run("db", "diff", "--schema", "shop")
        assert done.stdout == (
            "alter table shop.things add column title text;\nalter table shop.things drop column name;\n"
        )
        assert "warning: this drops column shop.things.name and what is in it" in done.stderr
    finally:
        _change(project, "alter table shop.things rename column title to name")


def test_diff_of_declared_files_leads_from_the_migrations_to_them(project: SmallProject) -> None:
    folder = project.root / "supabase" / "schemas"
    folder.mkdir()
    config = project.root / "supabase" / "config.toml"
    text = config.read_text()
    try:
        (folder / "1_shop.sql").write_text(
            "create schema shop; grant usage on schema shop to anon;\n"
            "create extension moddatetime with schema extensions;\n"
            "create table shop.things (id int primary key, name text, price int check (price > 0));"
        )
        config.write_text(text + '[db.migrations]\nschema_paths = ["./schemas/*.sql"]\n')
        done = project.run("db", "diff")
        assert done.returncode == 0, done.stderr
        assert done.stdout == (
            "alter table shop.things add column price integer;\n"
            "alter table shop.things add constraint things_price_check CHECK ((price > 0));\n"
            "revoke select on table shop.things from anon;\n"
        )
        (folder / "1_shop.sql").write_text("create table broken;")
        failed = project.run("db", "diff")
        assert failed.returncode == 1
        assert "1_shop.sql, line 1: syntax error" in failed.stderr
    finally:
        config.write_text(text)


def test_diff_names_the_migration_that_fails_and_leaves_nothing(project: SmallProject) -> None:
    project.migration("20260102000000_broken.sql", "create table public.half (id int);\nselect wrong;")
    path = project.root / "supabase" / "migrations" / "20260102000000_broken.sql"
    try:
        done = project.run("db", "diff")
        assert (done.returncode, done.stdout) == (1, "")
        assert "20260102000000_broken.sql, line 2" in done.stderr
        assert list(project.data.parent.glob("*.new-*")) == []
    finally:
        path.unlink()


def test_two_diffs_at_once_wait_for_each_other(project: SmallProject) -> None:
    children = [project.begin("db", "diff") for _ in range(2)]
    results = [(*child.communicate(), child.returncode) for child in children]
    assert [(out, code) for out, _, code in results] == [("", 0), ("", 0)]


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://postgres:top-secret@127.0.0.1:{PORT + 1}/postgres",
        "postgresql://postgres:top-secret#x@127.0.0.1/postgres",
        "postgresql://postgres:top-secret@127.0.0.1:top-secret/postgres",
    ],
    ids=["wrong", "with-a-number-sign", "in-the-port"],
)
def test_password_of_an_address_is_never_printed(project: SmallProject, address: str) -> None:
    done = project.run("db", "diff", "--db-url", address)
    assert done.returncode == 1
    assert "top-secret" not in done.stdout + done.stderr
    assert "→" in done.stderr


def test_diff_refuses_a_schema_that_no_database_has(project: SmallProject) -> None:
    done = project.run("db", "diff", "--schema", "shop,shpo")
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no schema 'shpo'." in done.stderr


def test_diff_refuses_what_is_no_database(project: SmallProject) -> None:
    done = project.run("db", "diff", "--from", "yesterday", "--to", "local")
    assert done.returncode == 1
    assert "'yesterday' is no database." in done.stderr
