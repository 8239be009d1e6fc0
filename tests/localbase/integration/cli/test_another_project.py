"""Another project's folder, running: its own schema and seed, and migrations as a hosted project's dump has them."""

from __future__ import annotations

import os
import signal

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.support.project_files import ProjectFiles

_DUMP = """
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql";
COMMENT ON EXTENSION "pg_graphql" IS 'of the platform';
CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";
CREATE EXTENSION IF NOT EXISTS supabase_vault WITH SCHEMA vault;
CREATE TABLE "public"."dumped" ("id" uuid REFERENCES "auth"."users" ("id"), "at" timestamptz DEFAULT "now"());
ALTER PUBLICATION "supabase_realtime" OWNER TO "postgres";
ALTER PUBLICATION "supabase_realtime" ADD TABLE ONLY "public"."dumped";
GRANT ALL ON TABLE "public"."dumped" TO "anon";
GRANT SELECT ON TABLE "public"."dumped" TO "keeper";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES TO "service_role";
"""
# What the dump sets for its session does not reach the next file: extensions are found without their schema.
_AFTER_THE_DUMP = """
begin; create table found (id uuid default uuid_generate_v4(), secret text); commit;
insert into public.found (secret) values (crypt('x', gen_salt('bf', 4)));
"""
_FIRST = [{"id": 1, "name": "first"}]
FILES = ProjectFiles(
    migrations={
        "20250101000000_remote_schema.sql": _DUMP,
        "20250102000000_more.sql": _AFTER_THE_DUMP,
        "20260102000000_who.sql": "create table shop.who as select current_user::text as name;",
    },
    others={"roles.sql": "create role keeper; grant keeper to authenticator;"},
)


def test_another_project_runs_with_its_own_schema_and_seed(project: SmallProject) -> None:
    assert project.things().json() == _FIRST
    again = project.run("start")
    assert (again.returncode, "other is already running." in again.stderr) == (0, True)


def test_migrations_run_as_a_role_that_is_no_superuser(project: SmallProject) -> None:
    with project.database() as connection:
        assert connection.execute("select name from shop.who").fetchone() == ("postgres",)
        assert connection.execute("show is_superuser").fetchone() == ("off",)


def test_dump_of_a_hosted_project_runs_as_a_migration(project: SmallProject) -> None:
    shown = project.run("db", "reset")
    assert shown.returncode == 0, shown.stderr
    assert "left out: extension pg_graphql, which this Postgres does not have" in shown.stderr
    assert "pgcrypto" not in shown.stderr
    with project.database() as connection:
        member = connection.execute("select pg_has_role('authenticator', 'keeper', 'member')").fetchone()
        reader = connection.execute("select has_table_privilege('keeper', 'dumped', 'select')").fetchone()
        assert (member, reader) == ((True,), (True,))


def test_killed_supervisor_leaves_nothing_behind_and_the_next_start_works(project: SmallProject) -> None:
    os.kill(int(str(project.report()["pid"])), signal.SIGKILL)
    assert f"http://127.0.0.1:{PORT}" in project.start()
    assert project.things().json() == _FIRST
