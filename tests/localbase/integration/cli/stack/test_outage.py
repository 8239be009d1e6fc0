"""Clients of a stack with processes that are killed, hang, or are replaced by a reset: none is refused."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest
from localbase.cli.stack.health import HealthPolicy
from localbase.cli.stack.stack import is_running
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of

from tests.localbase.integration.small_project import PORT, SmallProject, is_alive, until
from tests.support.logs import read_log

_FIRST = [{"id": 1, "name": "first"}]


# Between two requests of a client: far less than a process takes to start.
_PAUSE = 0.05


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with SmallProject(tmp_path_factory.mktemp("outage") / "a folder with spaces") as made:
        yield made


@pytest.fixture
def project(made: SmallProject) -> SmallProject:
    """The project, running: as the test before has left it, or started with the data that it has."""
    if not is_running(open_project(made.root, {})):
        made.start()
    assert until(lambda: made.things(timeout=60).json() == _FIRST)
    return made


@pytest.fixture
def unrestarted(made: SmallProject) -> SmallProject:
    """The project, running, with no process that was started again: the next one is, at once."""
    if is_running(open_project(made.root, {})) and made.report()["restarts"]:
        made.run("stop")
    if not is_running(open_project(made.root, {})):
        made.start()
    return made


@pytest.fixture
def changed(project: SmallProject) -> Iterator[SmallProject]:
    """The running project, with a row that is not the seed's until the test is over."""
    with project.database() as connection:
        connection.execute("update shop.things set name = 'changed'")
    yield project
    if not is_running(open_project(project.root, {})):
        project.start()
    with project.database() as connection:
        connection.execute("update shop.things set name = 'first'")


class Visitors:
    """Clients that send requests until stopped, each over a new connection."""

    def __init__(self, project: SmallProject, count: int = 2) -> None:
        self._project = project
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(count)
        self._done = [self._pool.submit(self._send_request) for _ in range(count)]

    def _send_request(self) -> list[httpx.Response | httpx.HTTPError]:
        responses: list[httpx.Response | httpx.HTTPError] = []
        while not self._stop.is_set():
            try:
                responses.append(self._project.things(timeout=60))
            except (httpx.RemoteProtocolError, httpx.ReadError):
                # A process that ends closes its accepted connections; retry once, as any client does.
                try:
                    responses.append(self._project.things(timeout=60))
                except httpx.HTTPError as error:
                    responses.append(error)
            except httpx.HTTPError as error:
                responses.append(error)
            self._stop.wait(_PAUSE)
        return responses

    def leave(self) -> list[httpx.Response | httpx.HTTPError]:
        """All responses and errors."""
        self._stop.set()
        return [response for done in self._done for response in done.result()]


def outcomes(responses: list[httpx.Response | httpx.HTTPError]) -> set[int | str]:
    return {
        response.status_code if isinstance(response, httpx.Response) else repr(response)
        for response in responses
    }


def test_first_restart_is_immediate_and_repeated_ones_are_delayed(unrestarted: SmallProject) -> None:
    times = []
    for _ in range(4):
        victim = unrestarted.processes()["gateway"]
        os.kill(victim, signal.SIGKILL)
        began = time.monotonic()
        assert until(lambda: unrestarted.processes().get("gateway", victim) != victim)  # noqa: B023 - called here only
        times.append(time.monotonic() - began)
        assert unrestarted.things(timeout=60).status_code == 200
    # The last of four starts waits 0.4 s; the first waits for nothing but the new process.
    assert times[0] < times[3]


def test_reset_of_a_running_stack_refuses_no_client(changed: SmallProject) -> None:
    supervisor = changed.report()["pid"]
    visitors = Visitors(changed)
    done = changed.run("db", "reset")
    responses = visitors.leave()
    assert done.returncode == 0, done.stderr
    assert outcomes(responses) == {200}
    assert {response.text for response in responses if isinstance(response, httpx.Response)} == {
        '[{"id":1,"name":"changed"}]',
        '[{"id":1,"name":"first"}]',
    }
    assert changed.things().json() == _FIRST
    assert changed.report()["pid"] == supervisor


def test_clients_of_a_killed_gateway_wait_and_are_not_refused(project: SmallProject) -> None:
    for _ in range(2):
        victim = project.processes()["gateway"]
        os.kill(victim, signal.SIGKILL)
        with ThreadPoolExecutor(30) as pool:
            responses = list(pool.map(lambda _: project.things(timeout=60), range(30)))
        assert {(response.status_code, response.text) for response in responses} == {
            (200, '[{"id":1,"name":"first"}]')
        }
        assert project.processes()["gateway"] != victim


def test_clients_of_a_killed_mailbox_wait_and_are_not_refused(project: SmallProject) -> None:
    os.kill(project.processes()["gateway"], signal.SIGKILL)
    assert httpx.get(f"http://127.0.0.1:{PORT + 3}/api/v1/messages", timeout=60).json()["total"] == 0


def test_reset_deletes_mails_and_stored_files(project: SmallProject) -> None:
    mails = project.state / "mail.sqlite"
    (project.state / "storage").mkdir(exist_ok=True)
    (project.state / "storage" / "left").write_text("x")
    # While a link to it exists, a new file cannot get the same inode.
    before = project.root / "mails before"
    before.hardlink_to(mails)
    assert project.run("db", "reset").returncode == 0
    assert not (project.state / "storage" / "left").exists()
    assert not mails.samefile(before)
    assert not (project.state / "old").exists()
    before.unlink()


def test_slow_postgres_is_waited_for(unrestarted: SmallProject) -> None:
    os.kill(unrestarted.processes()["postgres"], signal.SIGKILL)
    os.kill(unrestarted.processes()["gateway"], signal.SIGKILL)
    assert unrestarted.things(timeout=60).json() == _FIRST
    # One start was enough: the gateway waited for the database instead of exiting. Postgres may need two, where a
    # process of the killed one still holds its shared memory.
    restarts = unrestarted.report()["restarts"]
    assert restarts["gateway"] == 1
    assert restarts["postgres"] in (1, 2)
    with psycopg.connect(f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres") as connection:
        assert connection.execute("select 1").fetchone() == (1,)


@pytest.fixture
def neighbour(project: SmallProject) -> Iterator[int]:
    """The process id of another program of the user whose the database is."""
    account = cluster_of(open_project(project.root, {})).account
    with subprocess.Popen(["sleep", "600"], user=account.uid if account else None) as program:
        yield program.pid
        program.kill()


@pytest.mark.parametrize("text", ["", "{neighbour}\n/elsewhere\n1\n5432\n"])
def test_killed_database_is_started_again_with_any_process_file(
    project: SmallProject, neighbour: int, text: str
) -> None:
    supervisor, postgres = project.report()["pid"], project.processes()["postgres"]
    os.kill(supervisor, signal.SIGSTOP)
    os.kill(postgres, signal.SIGKILL)
    (project.data / "postmaster.pid").write_text(text.format(neighbour=neighbour))
    os.kill(supervisor, signal.SIGCONT)
    assert until(lambda: project.processes().get("postgres", postgres) != postgres)
    assert until(lambda: project.things(timeout=60).json() == _FIRST)


def test_start_tells_of_a_database_that_does_not_start(unrestarted: SmallProject) -> None:
    project = unrestarted
    settings = project.data / "postgresql.auto.conf"
    before = settings.read_text()
    settings.write_text(f"{before}nonsense_of_a_setting = 'x'\n")
    for name in ("postgres", "gateway"):
        os.kill(project.processes()[name], signal.SIGKILL)
    done = project.run("start")
    settings.write_text(before)
    # The next of its starts would come seconds later.
    project.run("stop")
    assert done.returncode == 1
    assert "postgres did not start. The end of its log:" in done.stderr
    assert f'configuration file "{settings}" contains errors' in done.stderr


def test_failed_reset_leaves_the_running_stack_and_its_data(changed: SmallProject) -> None:
    before = changed.processes()
    bad = changed.root / "supabase" / "migrations" / "20260102000000_bad.sql"
    bad.write_text("select nonsense;")
    failed = changed.run("db", "reset")
    bad.unlink()
    assert failed.returncode == 1
    assert "20260102000000_bad.sql, line 1" in failed.stderr
    assert "The old data is untouched." in failed.stderr
    assert "Traceback" not in failed.stderr
    assert changed.things().json() == [{"id": 1, "name": "changed"}]
    assert changed.processes() == before
    assert [path.name for path in changed.data.parent.glob("postgres*")] == ["postgres"]


def test_failed_reset_of_a_stopped_stack_leaves_its_data(changed: SmallProject) -> None:
    changed.run("stop")
    bad = changed.root / "supabase" / "migrations" / "20260102000000_bad.sql"
    bad.write_text("select nonsense;")
    assert changed.run("db", "reset").returncode == 1
    bad.unlink()
    changed.start()
    assert changed.things().json() == [{"id": 1, "name": "changed"}]


def test_reset_applies_the_current_settings(project: SmallProject) -> None:
    config = project.root / "supabase" / "config.toml"
    before = config.read_text()
    config.write_text(before.replace(f"[api]\nport = {PORT}", f"[api]\nport = {PORT + 7}"))
    assert project.run("db", "reset").returncode == 0
    assert httpx.get(f"http://127.0.0.1:{PORT + 7}/health").status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{PORT}/health")
    assert project.run("stop").returncode == 0
    config.write_text(before)


QUICK = HealthPolicy(every=0.3, timeout=0.5, failures=3, start=60, grace=0.5)


@pytest.fixture(scope="module")
def watched(made: SmallProject) -> Iterator[SmallProject]:
    """The project's stack with far more frequent probes than usual, for the tests that come last."""
    made.start()
    made.run("stop")
    for path in (made.state / "logs").iterdir():
        path.unlink()
    with made.supervised(QUICK):
        yield made


def test_probes_leave_no_lines_in_the_logs_and_restart_nothing(watched: SmallProject) -> None:
    log = watched.state / "logs" / "gateway.log"
    # The line of the fixture's own request, which is written with a delay.
    assert until(lambda: '"path":"/rest/v1/things","status":200' in log.read_text().replace(": ", ":"))
    before = log.read_text()
    time.sleep(3)  # ten probes' time
    assert log.read_text() == before
    assert watched.report()["restarts"] == {}
    assert (watched.state / "logs" / "postgres.log").read_text().count("ending it") == 0


@pytest.mark.parametrize("name", ["gateway", "postgres"])
def test_hung_process_is_killed_and_restarted(watched: SmallProject, name: str) -> None:
    victim = watched.processes()[name]
    time.sleep(1.5)  # the time of five probes: successful ones leave nothing to wait for
    os.kill(victim, signal.SIGSTOP)
    assert until(lambda: watched.processes().get(name, victim) != victim, 60)
    assert not is_alive(victim)
    assert until(lambda: watched.things().status_code == 200, 60)
    log = read_log(watched.state, name)
    assert f"WARNING supervisor {name} has not answered 3 times in a row; ending it" in log


def test_restart_policy_is_passed_to_the_supervisor() -> None:
    parser = argparse.ArgumentParser()
    for argument in QUICK.arguments():
        parser.add_argument(argument.split("=")[0], type=float)
    assert vars(parser.parse_args(QUICK.arguments())) == {
        "health_every": 0.3,
        "health_timeout": 0.5,
        "health_failures": 3.0,
        "health_start": 60.0,
        "health_grace": 0.5,
    }
