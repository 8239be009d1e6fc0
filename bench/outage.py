"""How long clients wait when a process is killed, and when the database is reset: `python -m bench.outage`.

On a small scratch stack: clients send requests without a break, each over a new connection. The figure is the longest
that one of them waited; none may be refused.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

from localbase.cli.stack import report
from localbase.cli.terminal import Progress
from localbase.core.project import Project

from bench.figures import Figure
from bench.scratch import run_command, scratch_stack

_CONFIG = """
project_id = "outage"
[api]
port = 24341
schemas = ["public"]
[db]
port = 24342
[local_smtp]
port = 24344
smtp_port = 24345
[edge_runtime]
enabled = false
"""
_TABLE = (
    "create table things (id int primary key); insert into things values (1); grant select on things to anon;"
)
# The supervisor restarts without a pause what has run for as long.
_STEADY_SECONDS = 10.5
_ROUNDS = 3


def outage_figures() -> Iterator[Figure]:
    """The longest waits of clients."""
    progress = Progress()
    with scratch_stack(_CONFIG, _TABLE) as project:
        for victim, limit in (("gateway", 1500), ("postgres", 1500)):
            waits = []
            for number in range(1, _ROUNDS + 1):
                with progress.step(f"killing {victim}, {number} of {_ROUNDS}"):
                    waits.append(_killed(project, victim))
            yield Figure(f"{victim} killed with -9: the longest wait", statistics.median(waits), limit, "ms")
        with progress.step("resetting the database"), _Visitor(project) as visitor:
            run_command(project, "db", "reset")
        yield Figure("db reset: the longest wait", visitor.longest, 2000, "ms")


def _killed(project: Project, victim: str) -> float:
    time.sleep(_STEADY_SECONDS)
    with _Visitor(project) as visitor:
        pid = report(project)["processes"][victim]
        os.kill(pid, signal.SIGKILL)
        while report(project)["processes"].get(victim, pid) == pid or not visitor.responded_since():
            time.sleep(0.01)
    return visitor.longest


class _Visitor:
    """Sends requests without a break. `longest` is in milliseconds, from a request until a response with rows."""

    def __init__(self, project: Project) -> None:
        keys = project.settings.keys
        self._request = urllib.request.Request(  # noqa: S310 - our own address
            f"{project.settings.api_url}/rest/v1/things", headers={"apikey": keys.publishable}
        )
        self._leave = threading.Event()
        self._thread = threading.Thread(target=self._send_request)
        self._responses = 0
        self.longest = 0.0

    def __enter__(self) -> _Visitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave.set()
        self._thread.join()

    def responded_since(self) -> bool:
        """Whether two responses came since: the second request was sent after this call."""
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
            with urllib.request.urlopen(self._request, timeout=60) as answer:  # noqa: S310 - our own address
                return bool(json.load(answer) == [{"id": 1}])
        except urllib.error.HTTPError as error:
            error.close()
            return False
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(getattr(error, "reason", error), ConnectionRefusedError):
                raise SystemExit("a client was refused") from error
            return False


if __name__ == "__main__":
    for figure in outage_figures():
        sys.stdout.write(f"{figure}\n")
