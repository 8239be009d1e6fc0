"""The stacks of this user on this machine: a register of where to look, one small file for each.

What runs is decided by the supervisors' locks alone, and what is being started by those of commands: an entry of a
stack that has gone is removed when it is read.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from localbase.cli.stack import stack
from localbase.cli.stack.lock import holder_id, is_locked, open_shared
from localbase.core.project import STATE, Project
from localbase.core.settings import Settings


@contextmanager
def choosing(environ: Mapping[str, str]) -> Iterator[None]:
    """One command of this user at a time chooses ports, from its look at what is taken to its entry in the register."""
    folder = _folder(environ)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = open_shared(folder / "choosing.lock")
    except OSError:
        # A home that cannot be written: what is bound decides alone.
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def register(project: Project, ports: Collection[int]) -> None:
    """Enters a stack that is being started, with its ports. A home that cannot be written has no register."""
    path = _folder(project.environ) / f"{_mark(project)}.json"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        entry = {
            "root": str(project.root),
            "project_id": project.settings.project_id,
            "ports": sorted(ports),
            "state_folder": project.environ.get(STATE, ""),
        }
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(entry), encoding="utf-8")
        partial.replace(path)


def ports_of_others(project: Project, environ: Mapping[str, str]) -> dict[int, Path]:
    """The ports of all other stacks of this user that run, or are being started, with their projects' folders."""
    roots: dict[int, Path] = {}
    for entry, other, runs in _entries(environ):
        if other.state == project.state:
            continue
        report: dict[str, Any] = {}
        # One may start, or end, in this moment.
        with suppress(OSError, ValueError):
            report = stack.report(other) if runs else {}
        ports = {*entry.get("ports", ()), *report.get("listening", ()), *report.get("reached", ())}
        if _shares_network(report.get("pid") or holder_id(other)):
            roots |= dict.fromkeys(ports, other.root)
    return roots


def running_projects(environ: Mapping[str, str]) -> list[Project]:
    """The projects with a stack that runs, by their folders. Their settings are the id alone: no file is read."""
    projects = [project for _, project, runs in _entries(environ) if runs]
    return sorted(projects, key=lambda each: str(each.state))


def _entries(environ: Mapping[str, str]) -> Iterator[tuple[dict[str, Any], Project, bool]]:
    """The entries of stacks that run (True), or on which a command works. Those of others go: each start reads all."""
    for path in sorted(_folder(environ).glob("*.json")):
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            root, project_id = Path(entry["root"]), str(entry["project_id"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        own_environ = {**environ, STATE: str(entry.get("state_folder", ""))}
        project = Project(root, Settings(project_id=project_id), own_environ)
        # In this order: a start that ends in between runs.
        works = is_locked(project)
        if (runs := _runs(project)) or works:
            yield entry, project, bool(runs)
        elif runs is False:
            with suppress(OSError):
                path.unlink()


def _runs(project: Project) -> bool | None:
    """None where it cannot be looked at: none of this user's stacks, neither stopped nor forgotten."""
    try:
        return stack.is_running(project)
    except OSError:
        return None


def _shares_network(pid: int | None) -> bool:
    """Tell whether the ports of a process are this one's: those of another network namespace of Linux are not."""
    try:
        here = Path("/proc/self/ns/net").readlink()
    except OSError:
        # A system without such.
        return True
    try:
        return Path(f"/proc/{pid}/ns/net").readlink() == here
    except FileNotFoundError:
        # It has ended.
        return False
    except OSError:
        # Another user's.
        return True


def _folder(environ: Mapping[str, str]) -> Path:
    state = environ.get("XDG_STATE_HOME")
    home = Path(environ.get("HOME") or "~").expanduser()
    return (Path(state) if state else home / ".local" / "state") / "localbase" / "stacks"


def _mark(project: Project) -> str:
    return hashlib.sha256(str(project.state).encode()).hexdigest()[:16]
