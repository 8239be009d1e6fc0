"""A running project: `start --exclude`, `stop --all | --project-id | --no-backup`, `status`, `logs`, `services`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.stacks import SUPABASE, clean_environ

KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
API = f"http://127.0.0.1:{PORT}"


class RegisteredProject(SmallProject):
    """Its stacks are in a register of their own: `stop --all` reaches no other."""

    def run(self, *arguments: str, **extra: str) -> Any:
        """Runs the command."""
        return super().run(*arguments, XDG_STATE_HOME=str(self.root / "state"), **extra)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegisteredProject]:
    made = RegisteredProject(tmp_path_factory.mktemp("lifecycle") / "project")
    done = made.run("start", "-x", "realtime,storage", "--exclude", "mailpit", "-x", "vector,kong")
    assert done.returncode == 0, done.stderr
    assert "kong is a part of the gateway here: it starts all the same." in done.stderr
    yield made
    made.run("stop")


def test_excluded_services_do_not_run(project: RegisteredProject) -> None:
    assert project.things().json() == [{"id": 1, "name": "first"}]
    storage = httpx.get(f"{API}/storage/v1/bucket", headers={"apikey": KEY})
    assert (storage.status_code, storage.json()) == (
        503,
        {"message": "Storage does not run: this stack was started without it"},
    )
    assert httpx.get(f"{API}/realtime/v1/api/ping", headers={"apikey": KEY}).status_code >= 400
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{PORT + 3}/")
    status = project.run("status")
    assert "Left out: mailpit, realtime, storage-api." in status.stderr
    assert f"API  {API}\n" in status.stdout
    assert "Mailbox" not in status.stdout


def test_excluded_services_stay_out_after_a_reset(project: RegisteredProject) -> None:
    done = project.run("db", "reset")
    assert done.returncode == 0, done.stderr
    assert httpx.get(f"{API}/storage/v1/bucket", headers={"apikey": KEY}).status_code == 503
    assert "Left out: mailpit, realtime, storage-api." in project.run("status").stderr


def test_exclusion_of_an_unknown_service_is_refused(project: RegisteredProject) -> None:
    done = project.run("start", "-x", "relatime")
    assert done.returncode == 1
    assert "There is no service 'relatime' to leave out." in done.stderr
    assert "edge-runtime, imgproxy, mailpit, realtime, storage-api, studio" in done.stderr


def test_status_names_values_as_the_project_wants_them(project: RegisteredProject) -> None:
    shown = project.run("status", "-o", "env", "--override-name", "api.url=NEXT_PUBLIC_SUPABASE_URL")
    assert f'NEXT_PUBLIC_SUPABASE_URL="{API}"' in shown.stdout.splitlines()
    assert "\nAPI_URL=" not in f"\n{shown.stdout}"
    assert f'API_URL = "{API}"' in project.run("status", "-o", "toml").stdout.splitlines()
    assert f'API_URL: "{API}"' in project.run("status", "-o", "yaml").stdout.splitlines()
    wrong = project.run("status", "--override-name", "api.ur=NAME")
    assert (wrong.returncode, "is no key and name" in wrong.stderr) == (1, True)


def test_logs_are_in_time_order_and_filtered(project: RegisteredProject) -> None:
    for name in ("first", "second"):
        httpx.get(f"{API}/rest/v1/things", headers={"apikey": KEY, "x-request-id": f"logs-{name}"})
    httpx.get(f"{API}/auth/v1/settings", headers={"apikey": KEY, "x-request-id": "logs-auth"})
    shown = [json.loads(line) for line in project.run("logs", "-o", "json").stdout.splitlines()]
    times = [line["time"] for line in shown]
    assert times == sorted(times)
    ids = [line.get("request_id") for line in shown if str(line.get("request_id")).startswith("logs-")]
    assert ids == ["logs-first", "logs-second", "logs-auth"]

    def request_ids(*arguments: str) -> list[str]:
        lines = project.run("logs", "-o", "json", *arguments).stdout.splitlines()
        return [json.loads(line)["request_id"] for line in lines]

    assert request_ids("rest", "--search", "LOGS-") == ["logs-first", "logs-second"]
    assert request_ids("--service", "gotrue", "--search", "logs-") == ["logs-auth"]
    assert request_ids("rest", "auth", "--search", "logs-", "--limit", "1") == ["logs-auth"]
    assert request_ids("--search", "logs-", "--since", "2999-01-01T00:00:00Z") == []
    assert request_ids("--search", "logs-", "--to", "2001-01-01T00:00:00Z", "--since", "start") == []
    assert request_ids("--search", "logs-", "--level", "error") == []
    assert request_ids("--search", "logs-first", "--level", "info") == ["logs-first"]
    text = project.run("logs", "rest", "--search", "logs-first").stdout
    assert text.startswith("gateway ")
    assert " INFO gateway GET /rest/v1/things 200 " in text


def test_logs_follow_what_is_logged_from_now_on(project: RegisteredProject) -> None:
    child = project.begin("logs", "-f", "rest", "--limit", "0")
    try:
        assert child.stdout
        with ThreadPoolExecutor(1) as pool:
            line = pool.submit(child.stdout.readline)
            # repeated: the command may not yet have seen how long the file was
            assert until(lambda: project.things().status_code == 200 and line.done())
    finally:
        child.kill()
        child.communicate()
    assert "GET /rest/v1/things 200" in line.result()


def test_logs_of_an_unknown_service_name_those_that_there_are(project: RegisteredProject) -> None:
    done = project.run("logs", "postgress")
    assert done.returncode == 1
    assert "There is no log of 'postgress'." in done.stderr
    names = project.run("logs", "sources").stdout.split()
    assert {"gateway", "postgres", "db", "rest", "auth", "supervisor"} <= set(names)


def test_services_name_their_versions(project: RegisteredProject) -> None:
    shown = {row["service"]: row for row in json.loads(project.run("services", "-o", "json").stdout)}
    assert shown["rest"]["follows"].startswith("PostgREST ")
    assert set(shown) == {"localbase", "postgres", "rest", "auth", "storage", "realtime", "cli"}


def test_stop_by_id_and_of_all_ends_running_stacks(project: RegisteredProject, tmp_path: Path) -> None:
    done = project.run("stop", "--project-id", "another")
    assert (done.returncode, done.stderr) == (0, "another is not running.\n")
    assert project.things().status_code == 200
    listed = f"These stacks run:\n  other ({project.root})\n"
    ours, theirs = pty.openpty()
    asked = subprocess.Popen(
        [SUPABASE, "stop", "--all"],
        env=clean_environ({"XDG_STATE_HOME": str(project.root / "state")}),
        stdin=theirs,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.write(ours, b"n\n")
    assert asked.communicate(timeout=60)[1] == f"{listed}Stop all of them? [y/N] "
    assert (asked.returncode, project.things().status_code) == (1, 200)
    done = project.run("stop", "--all", "-o", "json")
    assert json.loads(done.stdout) == [{"project_id": "other", "folder": str(project.root), "ran": True}]
    assert done.stderr == f"{listed}Stopped other ({project.root}); its data is kept.\n"
    assert project.run("stop", "--all").stderr == "No stack runs.\n"


def test_process_that_does_not_serve_is_an_error_unless_that_is_ignored(project: RegisteredProject) -> None:
    path = project.root / "supabase" / "processes.toml"
    path.write_text(f'[broken]\ncommand = ["false"]\nready = "http://127.0.0.1:{PORT + 9}/"\n')
    try:
        for arguments, code in (((), 1), (("--ignore-health-check",), 0)):
            done = project.run("start", *arguments)
            assert (done.returncode, "broken did not start." in done.stderr) == (code, True)
            assert project.things().status_code == 200
            project.run("stop")
    finally:
        path.unlink()


def test_stop_without_backup_takes_the_data_away(project: RegisteredProject) -> None:
    assert project.run("start").returncode == 0
    with project.database() as connection:
        connection.execute("insert into shop.things values (2, 'second')")
    assert len(project.things().json()) == 2
    done = project.run("stop", "--no-backup", "--project-id", "other")
    assert (done.returncode, done.stderr) == (0, "Stopped other; its local data is gone.\n")
    assert not project.state.exists()
    assert project.run("start").returncode == 0
    assert project.things().json() == [{"id": 1, "name": "first"}]
