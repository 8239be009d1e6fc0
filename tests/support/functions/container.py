"""The functions' container without Docker: its folder, its lock's environment, and its Dockerfile's very command."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from functions.bundle import bundle_container
from tests.support.functions.wheels import environment_of
from tests.support.processes import free_port, wait_until_open


@dataclass(frozen=True, slots=True)
class RunningContainer:
    """The process, its address, and a client of it."""

    process: subprocess.Popen[bytes]
    url: str
    http: httpx.Client


class Container:
    """The image that `docker build` would make of the bundle."""

    def __init__(self, folder: Path) -> None:
        self.folder = bundle_container(folder)
        self._binaries = environment_of(self.folder / "requirements.txt")
        self._dockerfile = (self.folder / "Dockerfile").read_text()

    @property
    def command(self) -> list[str]:
        """The image's CMD."""
        command: list[str] = json.loads(re.findall(r"(?m)^CMD (\[.*\])$", self._dockerfile)[0])
        return command

    @property
    def environ(self) -> dict[str, str]:
        """The image's ENV."""
        (line,) = re.findall(r"(?m)^ENV (.*)$", self._dockerfile)
        return dict(setting.split("=", 1) for setting in line.split())

    def is_healthy(self, url: str) -> bool:
        """Return what the image's HEALTHCHECK says of a container at this address."""
        (check,) = re.findall(r"(?m)^ +CMD (\[.*\])$", self._dockerfile)
        program, *arguments = json.loads(check)
        environ = {"PATH": os.environ["PATH"], "PORT": url.rpartition(":")[2]}
        command = [str(self._binaries / program), *arguments]
        return not subprocess.run(command, env=environ, capture_output=True, check=False).returncode

    def words(self) -> list[str]:
        """The image's command by its own interpreter, to be run in `folder` with `environ`."""
        program, *arguments = self.command
        return [str(self._binaries / program), *arguments]

    @contextmanager
    def running(self, environ: Mapping[str, str]) -> Iterator[RunningContainer]:
        """The image's command in the bundle's folder, with these settings and no others, on a port of its own."""
        port = free_port()
        process = subprocess.Popen(
            self.words(),
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], **self.environ, **environ, "PORT": str(port)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            with httpx.Client(base_url=url, timeout=30) as client:
                wait_until_open(process, port)
                yield RunningContainer(process, url, client)
        finally:
            process.terminate()
            process.communicate(timeout=20)
