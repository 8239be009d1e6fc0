"""The stacks of this user on this machine: a register of where to look, one small file for each.

What runs is decided by the supervisors' locks alone: an entry of a stack that has gone is removed when it is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from localbase.cli import stack
from localbase.core.project import Project
from localbase.core.settings import Settings


def register(project: Project) -> None:
    """Enters a stack that was started. A home that cannot be written has no register."""
    path = _folder(project.environ) / f"{_mark(project)}.json"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        entry = {"root": str(project.root), "project_id": project.settings.project_id}
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(entry), encoding="utf-8")
        partial.replace(path)


def running_projects(environ: Mapping[str, str]) -> list[Project]:
    """The projects with a stack that runs, by their folders. Their settings are the id alone: no file is read."""
    projects = []
    for path in sorted(_folder(environ).glob("*.json")):
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            root, project_id = Path(entry["root"]), str(entry["project_id"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        project = Project(root, Settings(project_id=project_id), environ)
        if stack.is_running(project):
            projects.append(project)
        else:
            with suppress(OSError):
                path.unlink()
    return sorted(projects, key=lambda each: str(each.state))


def _folder(environ: Mapping[str, str]) -> Path:
    state = environ.get("XDG_STATE_HOME")
    home = Path(environ.get("HOME") or "~").expanduser()
    return (Path(state) if state else home / ".local" / "state") / "localbase" / "stacks"


def _mark(project: Project) -> str:
    return hashlib.sha256(str(project.state).encode()).hexdigest()[:16]
