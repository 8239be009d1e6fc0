"""`db roles --print`: the one file that the owner's superuser runs."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.localbase.integration.external.conftest import PASSWORD, PORTS, OwnProject, OwnServer


def test_file_runs_twice_and_holds_no_password(own_project: OwnProject, own_server: OwnServer) -> None:
    first, second = (own_project.run("db", "roles", "--print").stdout for _ in range(2))
    # Each has verifiers with salts of its own.
    assert first != second
    assert PASSWORD not in first
    assert "SCRAM-SHA-256$4096:" in first
    before = _catalogue(own_server)
    own_server.run(second, "shop")
    assert _catalogue(own_server) == before
    for role in ("authenticator", "supabase_auth_admin", "supabase_replication_admin"):
        psycopg.connect(own_server.address("shop", role)).close()


def test_file_refuses_a_place_that_is_not_the_projects(
    own_project: OwnProject, own_server: OwnServer
) -> None:
    text = own_project.run("db", "roles", "--print").stdout
    own_server.run("create database other")
    with pytest.raises(psycopg.errors.RaiseException, match="This is the database other"):
        own_server.run(text, "other")
    own_server.run("create schema auth", "other")
    renamed = text.replace("'shop'", "'other'")
    with pytest.raises(psycopg.errors.RaiseException, match="not localbase's"):
        own_server.run(renamed, "other")
    own_server.run("drop schema auth", "other")
    own_server.run("create role helper login password 'x'")
    with (
        psycopg.connect(own_server.address("other", "helper", "x"), autocommit=True) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="Run this as a superuser"),
    ):
        connection.execute(renamed.encode())


def test_file_says_which_extension_the_server_lacks(own_server: OwnServer, tmp_path: Path) -> None:
    own_server.run("create database wanting")
    project = OwnProject(tmp_path, own_server.address("wanting"), PORTS[1])
    path = project.root / "supabase" / "migrations" / "20260102000000_geometry.sql"
    path.write_text("-- create extension nothing;\ncreate extension if not exists postgis;\n")
    with pytest.raises(psycopg.errors.RaiseException, match="does not have the extension postgis"):
        own_server.run(project.run("db", "roles", "--print").stdout, "wanting")
    path.write_text("create extension pg_visibility;\n")
    own_server.run(project.run("db", "roles", "--print").stdout, "wanting")
    assert own_server.run("select 1 from pg_extension where extname = 'pg_visibility'", "wanting")


@pytest.mark.parametrize("password", ["postgres", "short", "n\u00f6t-of-ascii-letters"])
def test_file_is_not_printed_for_a_weak_password(
    tmp_path: Path, own_server: OwnServer, password: str
) -> None:
    said = OwnProject(tmp_path, own_server.address("shop", password=password)).refused(
        "db", "roles", "--print"
    )
    assert "16 characters" in said
    assert password not in said


def _catalogue(server: OwnServer) -> list[tuple[object, ...]]:
    """Roles, memberships, extensions and event triggers, without passwords."""
    return server.run(
        "select rolname::text, rolsuper::text, rolcreaterole::text, rolcanlogin::text, rolbypassrls::text,"
        " rolreplication::text, rolconfig::text from pg_roles"
        " union all select roleid::regrole::text, member::regrole::text, admin_option::text, '', '', '', ''"
        " from pg_auth_members"
        " union all select extname::text, extowner::regrole::text, '', '', '', '', '' from pg_extension"
        " union all select evtname::text, evtenabled::text, '', '', '', '', '' from pg_event_trigger"
        " order by 1, 2, 3",
        "shop",
    )
