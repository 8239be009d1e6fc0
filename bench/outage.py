"""The time that clients wait when a process is killed, and when the data is replaced.

Clients send requests without a break, each over a new connection. The figure is the longest that one of them waited;
none may be refused. Kills and the reset are a small scratch stack's; the reset has a changed migration, and clients
that read and write. The snapshot is of the project's own stack, if that runs, and is loaded back at once: its data of
now, every process of the shop included.
"""

from __future__ import annotations

import os
import signal
import statistics
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

from localbase.cli.stack.stack import report
from localbase.cli.terminal import Progress
from localbase.core.project import Project

from bench.figures import Figure
from bench.scratch import run_command, scratch_stack

_TABLE = (
    "create table things (id int primary key); insert into things values (1);"
    "grant select on things to anon;"
    "create table notes (id int generated always as identity, text text); grant insert on notes to anon;"
)
_CHANGED = "alter table things add colour text default 'red';"
_READERS, _WRITERS = 3, 2
_ROW = b'[{"id":1}]'
_SNAPSHOT = "bench-load"
# The supervisor restarts without a pause what has run for as long.
_STEADY_SECONDS = 10.5
_ROUNDS = 2


def outage_figures() -> Iterator[Figure]:
    """The longest waits of clients."""
    progress = Progress()
    with scratch_stack("outage", _TABLE) as project:
        # The gateway outlives its database, so both have run as long when they are killed.
        waits: dict[str, list[float]] = {"postgres": [], "gateway": []}
        for number in range(1, _ROUNDS + 1):
            with progress.step(f"killing {' and '.join(waits)}, {number} of {_ROUNDS}"):
                time.sleep(_STEADY_SECONDS)
                for victim, seen in waits.items():
                    seen.append(_killed(project, victim))
        for victim, seen in waits.items():
            yield Figure(f"{victim} killed with -9: the longest wait", statistics.median(seen), 1500, "ms")
        migration = project.supabase / "migrations" / "20260101000000_bench.sql"
        migration.write_text(f"{_TABLE}{_CHANGED}", encoding="utf-8")
        with progress.step("resetting the database under load"), ExitStack() as clients:
            readers = [clients.enter_context(_Visitor(_read(project), _ROW)) for _ in range(_READERS)]
            writers = [clients.enter_context(_Visitor(_write(project), b"")) for _ in range(_WRITERS)]
            run_command(project, "db", "reset")
        yield Figure(
            "db reset: the longest wait of a client",
            max(one.longest for one in readers + writers),
            2000,
            "ms",
        )
        _require_no_errors(readers + writers)


def snapshot_figures(project: Project) -> Iterator[Figure]:
    """Yield how long a load into the running `project` takes, and how long its clients wait for that."""
    progress = Progress()
    spent, waits = [], []
    run_command(project, "snapshot", "save", _SNAPSHOT, "--force", environ=project.environ)
    try:
        for number in range(1, _ROUNDS + 1):
            with progress.step(f"loading a snapshot, {number} of {_ROUNDS}"), ExitStack() as clients:
                visitors = [
                    clients.enter_context(_Visitor(_health_of(project), None)) for _ in range(_READERS)
                ]
                began = time.monotonic()
                run_command(project, "snapshot", "load", _SNAPSHOT, environ=project.environ)
                spent.append((time.monotonic() - began) * 1000)
            waits.append(max(one.longest for one in visitors))
            _require_no_errors(visitors)
    finally:
        run_command(project, "snapshot", "delete", _SNAPSHOT, environ=project.environ)
    title = f"snapshot load into the running {project.settings.project_id}"
    yield Figure(title, statistics.median(spent), 2000, "ms")
    yield Figure("snapshot load: the longest wait of a client", statistics.median(waits), 2000, "ms")


def _require_no_errors(visitors: list[_Visitor]) -> None:
    if errors := sum(one.errors for one in visitors):
        raise SystemExit(f"{errors} clients were answered with an error")


def _killed(project: Project, victim: str) -> float:
    with _Visitor(_read(project), _ROW) as visitor:
        pid = report(project)["processes"][victim]
        os.kill(pid, signal.SIGKILL)
        while report(project)["processes"].get(victim, pid) == pid or not visitor.responded_since():
            time.sleep(0.01)
    return visitor.longest


def _read(project: Project) -> urllib.request.Request:
    return _request(project, "rest/v1/things?select=id")


def _write(project: Project) -> urllib.request.Request:
    return _request(project, "rest/v1/notes", b'{"text":"x"}')


def _health_of(project: Project) -> urllib.request.Request:
    """The address of every project that wants the database."""
    return _request(project, "health")


def _request(project: Project, path: str, body: bytes | None = None) -> urllib.request.Request:
    headers = {"apikey": project.settings.keys.publishable, "content-type": "application/json"}
    return urllib.request.Request(f"{project.settings.api_url}/{path}", body, headers)  # noqa: S310 - our own address


class _Visitor:
    """Sends requests without a break. `longest` is in milliseconds, from a request until a response as it must be."""

    def __init__(self, request: urllib.request.Request, expected_body: bytes | None) -> None:
        """`expected_body` is that of the response; None for any."""
        self._request, self._expected_body = request, expected_body
        self._leave = threading.Event()
        self._thread = threading.Thread(target=self._send_request)
        self._responses = 0
        self.longest = 0.0
        self.errors = 0

    def __enter__(self) -> _Visitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.set()
        self._thread.join()

    def responded_since(self) -> bool:
        """Tell whether two responses came since: the second request was sent after this call."""
        before = self._responses
        deadline = time.monotonic() + 30
        while self._responses < before + 2 and time.monotonic() < deadline:
            time.sleep(0.002)
        return self._responses >= before + 2

    def _send_request(self) -> None:
        while not self._leave.is_set():
            began = time.monotonic()
            while not self._rows():
                time.sleep(0.002)
            self.longest = max(self.longest, (time.monotonic() - began) * 1000)
            self._responses += 1

    def _rows(self) -> bool:
        try:
            with urllib.request.urlopen(self._request, timeout=60) as response:  # noqa: S310 - our own address
                body = response.read()
                return self._expected_body is None or bool(body == self._expected_body)
        except urllib.error.HTTPError as error:
            error.close()
            self.errors += 1
            return False
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(getattr(error, "reason", error), ConnectionRefusedError):
                raise SystemExit("a client was refused") from error
            return False
