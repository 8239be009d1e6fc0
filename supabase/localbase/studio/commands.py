"""The command line's work for Studio, in a process of its own: lists of functions, and snapshots."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from localbase.core.project import Project
from localbase.studio.detached import error_of
from localbase.studio.session import StudioError

_SECONDS = 60.0
_LONGEST_NAME = 100


class Commands:
    """Runs commands on a project. `outcome` is where one that restarts this process leaves how it has ended."""

    def __init__(self, root: Path, outcome: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._outcome = outcome
        # Sockets and ports of this process are not the command's.
        self._environ = {name: value for name, value in environ.items() if not name.startswith("LOCALBASE_")}

    async def functions(self) -> Any:
        """The project's functions, as `functions list` has them."""
        return await self._run("functions", "list")

    async def snapshots(self) -> Any:
        """The snapshots, oldest first."""
        return await self._run("snapshot", "list")

    def begin_snapshot(self, verb: str, name: str) -> str:
        """Begins to `save`, `load` or `delete` one. Returns an id, with which `outcome` says how it has ended."""
        if verb not in {"save", "load", "delete"}:
            raise StudioError("A snapshot is saved, loaded or deleted.")
        if not name or name.startswith("-") or not name.isprintable() or len(name) > _LONGEST_NAME:
            raise StudioError(f"A snapshot has a name of at most {_LONGEST_NAME} printable characters.")
        identity = uuid.uuid4().hex
        words = ("snapshot", verb, name, "--workdir", str(self._root))
        # In a session of its own: it goes on while the stack restarts.
        subprocess.Popen(
            [sys.executable, "-m", "localbase.studio.detached", str(self._outcome), identity, *words],
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return identity

    def outcome(self, identity: str) -> bool:
        """Tell whether the command with this id has ended. Raises `StudioError` with what it said when it failed."""
        try:
            outcome = json.loads(self._outcome.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return False
        if outcome["id"] != identity:
            return False
        if outcome["error"]:
            raise _error(outcome["error"])
        return True

    async def _run(self, *words: str) -> Any:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "localbase", *words, "--output", "json"),
            *("--workdir", str(self._root)),
            env=self._environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(_SECONDS):
                out, errors = await process.communicate()
        except TimeoutError as error:
            process.kill()
            await process.wait()
            raise StudioError(f"`{' '.join(words)}` takes longer than {_SECONDS:.0f} s.") from error
        if process.returncode:
            raise _error(error_of(errors.decode("utf-8", "replace")))
        return json.loads(out)


def _error(error: Mapping[str, str]) -> StudioError:
    return StudioError(error["message"], hint=error["remedy"] or None)


def project_commands(project: Project) -> Commands:
    """The commands of this process's project, in the environment that the stack was started in."""
    return Commands(project.root, project.state / "logs" / "studio-command.json", os.environ)
