"""Google's command-line program. What is secret goes through its standard input, never on its command line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence

from deploy.errors import CommandError

_ABSENT = "NOT_FOUND"


class Gcloud:
    """`environ` is gcloud's own environment; its PATH says where the program is."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        program = shutil.which("gcloud", path=environ.get("PATH"))
        if program is None:
            raise CommandError(
                "gcloud is not installed. Install the Google Cloud CLI (https://cloud.google.com/sdk/docs/install) "
                "and run `gcloud auth login`; ARGS=--dry-run shows what `make deploy` would run."
            )
        self._program = program
        self._environ = dict(environ)

    def show(self, arguments: Sequence[str]) -> int:
        """Runs it with its output at the terminal; its exit code."""
        return subprocess.run([self._program, *arguments], env=self._environ, check=False).returncode

    def run(self, *arguments: str, sent: str = "") -> str:
        """Its output. Raises `CommandError` with its own words where it fails."""
        done = self._start(arguments, sent)
        if done.returncode:
            raise CommandError(f"gcloud {' '.join(arguments)} failed: {done.stderr.strip()}")
        return done.stdout

    def find(self, *arguments: str) -> str | None:
        """Its output, or None where the resource does not exist."""
        done = self._start(arguments, "")
        if done.returncode and _ABSENT in done.stderr:
            return None
        if done.returncode:
            raise CommandError(f"gcloud {' '.join(arguments)} failed: {done.stderr.strip()}")
        return done.stdout

    def _start(self, arguments: Sequence[str], sent: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self._program, *arguments],
            env=self._environ, input=sent, capture_output=True, text=True, check=False,
        )  # fmt: skip
