"""The parts of the time of `snapshot load` into the running stack: `python -m bench.timeline`, after `make start`.

Watched from outside: the supervisor's files, its processes, and each process's probe. Milliseconds since the command
began; of three loads the fastest. On Linux.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from localbase.cli.stack.processes import stack_processes
from localbase.core.project import Project, open_project
from localbase.postgres.cluster import cluster_of

from bench.scratch import run_command

_ROUNDS = 3
_SNAPSHOT = "bench-timeline"
_LOOK_SECONDS = 0.002


class Timeline:
    """The events of one load, each at the time at which it was seen first."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._data = cluster_of(project).data
        self._began = time.monotonic()
        self._events: dict[str, float] = {}
        self._before = self._report()
        self._probes: list[threading.Thread] = []

    def load(self) -> list[tuple[float, str]]:
        """Loads the snapshot; events with their milliseconds."""
        command = [sys.executable, "-m", "localbase", "--workdir", str(self._project.root)]
        self._began = time.monotonic()
        child = subprocess.Popen(
            [*command, "snapshot", "load", _SNAPSHOT], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while child.poll() is None:
            self._look()
            time.sleep(_LOOK_SECONDS)
        self._saw(f"the command ends with {child.returncode}")
        for probe in self._probes:
            probe.join()
        return sorted((seconds * 1000, name) for name, seconds in self._events.items())

    def _look(self) -> None:
        state = self._project.state
        if any(self._data.parent.glob(f"{self._data.name}.new-*")):
            self._saw("the copy of the database begins")
        if any(state.glob("staged-*")):
            self._saw("the copy of the files begins")
        if (state / "restart.json").exists():
            self._saw("the restart is requested")
        for name, pid in self._before["processes"].items():
            if _has_ended(pid):
                self._saw(f"{name} has ended")
        if (state / "old").exists():
            self._saw("the data is swapped")
        report = self._report()
        if report.get("restarted") in (None, self._before.get("restarted")):
            return
        for name, pid in report["processes"].items():
            if pid != self._before["processes"].get(name) and f"{name} begins" not in self._events:
                self._saw(f"{name} begins")
                self._probe(name, report["ports"])

    def _probe(self, name: str, ports: dict[str, int]) -> None:
        processes = stack_processes(self._project, cluster_of(self._project), ports)
        ready = next(process.ready for process in processes if process.name == name)
        if ready:
            thread = threading.Thread(target=self._wait, args=(name, ready))
            thread.start()
            self._probes.append(thread)

    def _wait(self, name: str, ready: str) -> None:
        # It waits in the socket's queue until the process answers it.
        with urllib.request.urlopen(ready, timeout=60) as response:  # noqa: S310 - our own address
            response.read()
        self._saw(f"{name} serves")

    def _saw(self, event: str) -> None:
        self._events.setdefault(event, time.monotonic() - self._began)

    def _report(self) -> dict[str, Any]:
        supervisor_report: dict[str, Any] = json.loads((self._project.state / "supervisor.json").read_text())
        return supervisor_report


def _has_ended(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return True


def main() -> int:
    """Saves, loads and deletes a snapshot of the data of now."""
    project = open_project(Path(__file__).resolve().parent.parent)
    run_command(project, "snapshot", "save", _SNAPSHOT, "--force", environ=project.environ)
    try:
        fastest = min((Timeline(project).load() for _ in range(_ROUNDS)), key=lambda events: events[-1])
    finally:
        run_command(project, "snapshot", "delete", _SNAPSHOT, environ=project.environ)
    for milliseconds, event in fastest:
        sys.stdout.write(f"  {milliseconds:6.0f} ms  {event}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
