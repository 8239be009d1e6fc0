"""`python -m deploy schedule`: Cloud Scheduler by a stand-in for gcloud, pg_cron by stand-ins for its three schemas.

Neither service runs on this machine: what is proved is what is sent to them, that a second run sends nothing, and that
the key is on no command line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.shop.integration.deploy.owner import Owner
from tests.support.stacks import Stack

Row = dict[str, Any]
# Jobs in a file, described as gcloud describes them; every command line and flags file goes to a log.
_GCLOUD = """#!{python}
import base64, json, pathlib, sys
folder = pathlib.Path({folder!r})
jobs, log = folder / "job.json", folder / "log.jsonl"
arguments = sys.argv[1:]
flags = dict(a[2:].split("=", 1) for a in arguments if a.startswith("--") and "=" in a)
flags_file = json.loads(pathlib.Path(flags["flags-file"]).read_text()) if "flags-file" in flags else {{}}
mode = oct(pathlib.Path(flags["flags-file"]).stat().st_mode & 0o777) if flags_file else ""
with log.open("a") as out:
    out.write(json.dumps({{"arguments": arguments, "flags_file": flags_file, "mode": mode}}) + "\\n")
verb = arguments[2]
if verb == "describe":
    if not jobs.exists():
        sys.exit("ERROR: (gcloud.scheduler.jobs.describe) NOT_FOUND: Job not found.")
    print(jobs.read_text())
elif verb == "resume":
    jobs.write_text(json.dumps(json.loads(jobs.read_text()) | {{"state": "ENABLED"}}))
else:
    target = {{"uri": flags["uri"], "httpMethod": flags["http-method"],
              "body": base64.b64encode(flags["message-body"].encode()).decode(),
              "headers": flags_file.get("--headers") or flags_file["--update-headers"]}}
    state = json.loads(jobs.read_text())["state"] if jobs.exists() else "ENABLED"
    jobs.write_text(json.dumps({{"schedule": flags["schedule"], "state": state, "httpTarget": target,
                                "attemptDeadline": flags["attempt-deadline"], "timeZone": flags["time-zone"]}}))
"""


class Gcloud:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "gcloud"
        program.write_text(_GCLOUD.format(python=sys.executable, folder=str(folder)), encoding="utf-8")
        program.chmod(0o755)
        self.environ = {"PATH": str(folder), "GOOGLE_CLOUD_REGION": "europe-west1"}

    def calls(self) -> list[Row]:
        log = self.folder / "log.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def job(self) -> Row:
        job: Row = json.loads((self.folder / "job.json").read_text())
        return job


@pytest.fixture
def gcloud(tmp_path: Path) -> Gcloud:
    return Gcloud(tmp_path)


BY_GCLOUD = ("schedule", "--by", "cloud-scheduler")


def test_cloud_scheduler_job_is_created_once_without_the_key_on_a_command_line(
    owner: Owner, stack: Stack, gcloud: Gcloud
) -> None:
    url = f"{stack.api_url}/functions/v1/sweep"
    first = owner.run(*BY_GCLOUD, environ=gcloud.environ)
    assert (first.code, first.err) == (0, "")
    assert first.out == f"schedule: Cloud Scheduler calls {url} every minute (created)\n"
    describe, create = gcloud.calls()
    assert describe["arguments"] == [
        "scheduler", "jobs", "describe", "teesmith-sweep", "--location=europe-west1", "--format=json", "--quiet",
    ]  # fmt: skip
    assert create["arguments"][:-1] == [
        "scheduler", "jobs", "create", "http", "teesmith-sweep", "--location=europe-west1", "--schedule=* * * * *",
        "--time-zone=Etc/UTC", f"--uri={url}", "--http-method=POST", "--message-body={}", "--attempt-deadline=420s",
        "--quiet",
    ]  # fmt: skip
    assert create["flags_file"] == {
        "--headers": {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {stack.secret_key}",
            "apikey": stack.secret_key,
        }
    }
    assert create["mode"] == "0o600"
    flags_file = create["arguments"][-1].removeprefix("--flags-file=")
    assert not Path(flags_file).exists()
    assert all(stack.secret_key not in " ".join(call["arguments"]) for call in gcloud.calls())

    second = owner.run(*BY_GCLOUD, environ=gcloud.environ)
    assert second.out == f"schedule: Cloud Scheduler calls {url} every minute, nothing to change\n"
    assert len(gcloud.calls()) == 3


def test_cloud_scheduler_job_gets_a_new_key_and_is_resumed(owner: Owner, gcloud: Gcloud) -> None:
    owner.run(*BY_GCLOUD, environ=gcloud.environ)
    (gcloud.folder / "job.json").write_text(json.dumps({**gcloud.job(), "state": "PAUSED"}))
    response = owner.run(*BY_GCLOUD, environ={**gcloud.environ, "SUPABASE_SECRET_KEY": "rotated"})
    assert response.out.endswith("every minute (updated)\n")
    assert gcloud.job()["httpTarget"]["headers"]["apikey"] == "rotated"
    assert gcloud.job()["state"] == "ENABLED"


def test_cloud_scheduler_dry_run_shows_the_key_by_its_name(
    owner: Owner, stack: Stack, gcloud: Gcloud
) -> None:
    response = owner.run(*BY_GCLOUD, "--dry-run", "--project", "shop", environ=gcloud.environ)
    assert (response.code, response.err) == (0, "")
    assert response.out.startswith(
        "gcloud scheduler jobs create http teesmith-sweep --location=europe-west1 "
    )
    assert "'--schedule=* * * * *'" in response.out
    assert stack.secret_key not in response.out
    assert gcloud.calls() == []
    # what it prints does what the command does
    shell = {**gcloud.environ, "SUPABASE_SECRET_KEY": stack.secret_key}
    subprocess.run(["/bin/sh"], input=response.out, text=True, check=True, env=shell)
    (printed,) = gcloud.calls()
    assert stack.secret_key not in " ".join(printed["arguments"])
    known = owner.run(*BY_GCLOUD, "--project", "shop", environ=gcloud.environ)
    assert known.out.endswith("every minute, nothing to change\n")


def test_cloud_scheduler_without_gcloud_says_where_it_is(owner: Owner, tmp_path: Path) -> None:
    response = owner.run(*BY_GCLOUD, environ={"PATH": str(tmp_path), "GOOGLE_CLOUD_REGION": "europe-west1"})
    assert response.err == "error: gcloud is not installed: https://cloud.google.com/sdk/docs/install\n"
    assert response.code == 1


# The platform's functions and views as far as the command uses them. A job is replaced by one of its name.
_STAND_INS = """
create schema cron; create schema net; create schema vault;
create table cron.job (jobid serial, jobname text unique, schedule text, command text, active boolean default true);
create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
  insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
  on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command, active = true
  returning jobid::bigint $$;
create table net.calls (url text, body jsonb, params jsonb, headers jsonb, timeout_milliseconds int);
create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{}', timeout_milliseconds int default 5000) returns bigint language sql as $$
  insert into net.calls values ($1, $2, $3, $4, $5) returning 1::bigint $$;
create table vault.decrypted_secrets (id uuid default gen_random_uuid(), name text unique, decrypted_secret text);
create function vault.create_secret(new_secret text, new_name text) returns uuid language sql as $$
  insert into vault.decrypted_secrets (name, decrypted_secret) values ($2, $1) returning id $$;
create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql as $$
  update vault.decrypted_secrets set decrypted_secret = $2 where id = $1 $$;
"""


@pytest.fixture
def hosted(stack: Stack) -> Iterator[psycopg.Connection[Row]]:
    """A database with the stand-ins."""
    with psycopg.connect(stack.admin_db_url, autocommit=True) as server:
        server.execute("drop database if exists schedule_test with (force)")
        server.execute("create database schedule_test template template0")
        url = stack.admin_db_url.rpartition("/")[0] + "/schedule_test"
        with psycopg.connect(url, autocommit=True, row_factory=dict_row) as database:
            database.execute(_STAND_INS)
            yield database
        server.execute("drop database schedule_test with (force)")


def address(stack: Stack) -> dict[str, str]:
    return {"SUPABASE_DB_URL": stack.admin_db_url.rpartition("/")[0] + "/schedule_test"}


BY_PG_CRON = ("schedule", "--by", "pg_cron")


def test_pg_cron_job_posts_to_the_sweep_with_the_key_of_the_vault(
    owner: Owner, stack: Stack, hosted: psycopg.Connection[Row]
) -> None:
    url = f"{stack.api_url}/functions/v1/sweep"
    first = owner.run(*BY_PG_CRON, environ=address(stack))
    assert (first.code, first.err, first.out) == (0, "", f"schedule: pg_cron calls {url} every minute\n")
    (job,) = hosted.execute("select jobname, schedule, command from cron.job").fetchall()
    assert (job["jobname"], job["schedule"]) == ("teesmith-sweep", "* * * * *")
    assert stack.secret_key not in job["command"]
    hosted.execute(job["command"])
    assert hosted.execute("select url, body, headers from net.calls").fetchall() == [
        {
            "url": url,
            "body": {},
            "headers": {
                "Content-Type": "application/json",
                "Authorization": f"Bearer {stack.secret_key}",
                "apikey": stack.secret_key,
            },
        }
    ]
    second = owner.run(*BY_PG_CRON, environ=address(stack))
    assert second.out == f"schedule: pg_cron calls {url} every minute, nothing to change\n"


def test_pg_cron_job_gets_a_new_key_and_a_new_address(
    owner: Owner, stack: Stack, hosted: psycopg.Connection[Row]
) -> None:
    owner.run(*BY_PG_CRON, environ=address(stack))
    moved = {"SUPABASE_SECRET_KEY": "rotated", "FUNCTIONS_URL": "https://functions.example"}
    response = owner.run(*BY_PG_CRON, environ={**address(stack), **moved})
    assert response.out == "schedule: pg_cron calls https://functions.example/sweep every minute\n"
    (job,) = hosted.execute("select command from cron.job").fetchall()
    hosted.execute(job["command"])
    (call,) = hosted.execute("select url, headers ->> 'apikey' as key from net.calls").fetchall()
    assert call == {"url": "https://functions.example/sweep", "key": "rotated"}


def test_pg_cron_that_the_database_refuses_is_reported(owner: Owner, stack: Stack) -> None:
    # A role that may make no extension.
    refusing = stack.db_url.replace("//postgres:", "//authenticator:")
    response = owner.run(*BY_PG_CRON, environ={"SUPABASE_DB_URL": refusing})
    assert (response.code, response.out) == (1, "")
    assert response.err.startswith("error: The database refused the schedule: ")
    assert "Traceback" not in response.err


def test_pg_cron_dry_run_shows_the_key_by_its_name(owner: Owner, stack: Stack) -> None:
    response = owner.run(*BY_PG_CRON, "--dry-run")
    assert response.out.startswith("\\getenv SUPABASE_SECRET_KEY SUPABASE_SECRET_KEY\n")  # psql's own
    assert response.code == 0
    assert "select vault.create_secret(:'SUPABASE_SECRET_KEY', 'teesmith_sweep_key');" in response.out
    assert stack.secret_key not in response.out
