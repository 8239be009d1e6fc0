"""Data of another version of localbase: an earlier one's is brought to this version, a later one's refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from localbase.cli.data.temporary_server import server_apart
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of

from tests.localbase.integration.small_project import MIGRATION, PORT, SmallProject
from tests.support.project_files import ProjectFiles

EARLIER = Path(__file__).with_name("platform_0_2_0.sql")
HISTORY = """
insert into supabase_migrations.schema_migrations (version, statements, name)
values ('20260101000000', null, 'things');
"""
# The password is `a long password`.
PERSON = """
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
  created_at, updated_at)
values (
  '00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-00000000000a', 'authenticated', 'authenticated',
  'ada@example.com', extensions.crypt('a long password', extensions.gen_salt('bf', 4)), now(), '{}', '{}',
  now(), now());
"""
# What a project has besides tables: each is made otherwise in a dump.
EVERYTHING = """
create extension hstore with schema extensions;
create extension vector with schema public;
create extension pgmq;
create extension pg_cron;
select pgmq.create('jobs'), pgmq.send('jobs', '{"a": 1}');
select cron.schedule('nightly', '0 3 * * *', 'select 1');
create schema "Odd Schema";
create table "Odd Schema"."Tab le" ("a b" int primary key, v vector(3), h extensions.hstore);
insert into "Odd Schema"."Tab le" values (1, '[1,2,3]', 'a=>1');
create table public.doubled (id serial primary key, a int, b int generated always as (a * 2) stored);
insert into public.doubled (a) values (3), (4);
create table public.days (day date, x int) partition by range (day);
create table public.days_2026 partition of public.days for values from ('2026-01-01') to ('2027-01-01');
insert into public.days values ('2026-05-05', 1);
alter default privileges for role postgres in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges for role postgres revoke execute on functions from public;
create policy "a b c" on storage.objects for select to authenticated using (name like 'a%');
create function public.look() returns event_trigger language plpgsql as $$ begin null; end $$;
create event trigger looking on ddl_command_end execute function public.look();
create publication mine for table public.doubled;
alter publication supabase_realtime add table public.days;
alter database postgres set statement_timeout = '77s';
create view public.people as select id, email from auth.users;
create materialized view public.totals as select count(*) from public.doubled;
create domain public.word as text check (value <> '');
comment on schema public is 'mine';
comment on table public.doubled is 'it''s';
select vault.create_secret('hush', 'secret');
create table public.notes (person uuid references auth.users (id) on delete cascade, email text);
create function public.note() returns trigger language plpgsql security definer set search_path = '' as $$
begin insert into public.notes values (new.id, new.email); return new; end $$;
create trigger note after insert on auth.users for each row execute function public.note();
"""
STATE = """
select
  (select count(*) from pgmq.q_jobs), (select jobname from cron.job), (select "a b" from "Odd Schema"."Tab le"),
  (select array_agg(b) from public.doubled), (select count(*) from public.days), (select email from public.notes),
  (select count from public.totals), (select decrypted_secret from vault.decrypted_secrets),
  (select last_value from public.doubled_id_seq), obj_description('public'::regnamespace),
  (select rolcanlogin from pg_roles where rolname = 'Odd Role'),
  (select setconfig::text from pg_db_role_setting where setrole = 'anon'::regrole),
  (select setconfig::text from pg_db_role_setting where setrole = 0)
"""
ROLES = """create role "Odd Role" login password 'x'; alter role anon set statement_timeout = '7s';"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    with SmallProject(tmp_path / "project") as made:
        yield made


def test_data_of_version_0_2_0_goes_on_with_this_version(project: SmallProject) -> None:
    cluster = cluster_of(open_project(project.root, {}))
    cluster.initialise()
    with server_apart(cluster) as database:
        database.execute(EARLIER.read_bytes())
        database.execute(f"set session authorization postgres; {MIGRATION}".encode())
        database.execute("insert into shop.things values (2, 'of old'); reset session authorization")
        database.execute(f"{HISTORY}{PERSON}".encode())
    started = project.start()
    assert "Publishable key" in started
    # The seed is new to this database: it had not run.
    assert sorted(row["name"] for row in project.things().json()) == ["first", "of old"]
    body = {"email": "ada@example.com", "password": "a long password"}
    headers = {"apikey": project.status_values()["PUBLISHABLE_KEY"]}
    url = f"http://127.0.0.1:{PORT}/auth/v1/token?grant_type=password"
    assert httpx.post(url, json=body, headers=headers, timeout=20).json()["user"]["email"] == body["email"]
    assert "No schema changes found" in project.run("db", "diff", "--schema", "shop").stderr
    kept = project.run("snapshot", "list").stdout
    assert "before-" in kept


def test_everything_that_a_project_has_comes_along(tmp_path: Path) -> None:
    files = ProjectFiles(
        migrations={"20260102000000_everything.sql": EVERYTHING},
        seed=f"insert into shop.things values (1, 'first');{PERSON}",
    )
    with SmallProject(tmp_path / "project", files) as project:
        project.write("roles.sql", ROLES)
        project.start()
        before = _state(project)
        assert before[5] == "ada@example.com"
        dumped = project.run("db", "dump").stdout
        assert project.run("stop").returncode == 0
        (project.data / "localbase" / "platform.version").write_text("another 0.1.0")
        done = project.run("start")
        assert (done.returncode, "snapshot before-" in done.stderr) == (0, True), done.stderr
        assert _state(project) == before
        assert project.run("db", "dump").stdout == dumped
        rights = "select has_table_privilege('anon', 'public.later', 'select')"
        with project.database() as database:
            database.execute("create table public.later (id int)")
            # What a migration took from the defaults has not come back.
            assert database.execute(rights).fetchone() == (False,)


def test_data_of_a_later_version_is_refused(project: SmallProject) -> None:
    project.start()
    assert project.run("stop").returncode == 0
    version = project.data / "localbase" / "platform.version"
    own = version.read_text()
    version.write_text("another 99.0.0")
    refused = project.run("start")
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False)
    assert "This data was made by localbase 99.0.0, which is newer than this one" in refused.stderr
    assert "`supabase db reset`" in refused.stderr
    version.write_text(own)
    project.start()
    assert project.things().status_code == 200


def _state(project: SmallProject) -> tuple[object, ...]:
    with project.database(role="supabase_admin") as database:
        row = database.execute(STATE.encode()).fetchone()
    assert row is not None
    return tuple(row)
