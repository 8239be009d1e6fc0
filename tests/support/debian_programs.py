"""Finds servers that tests need; `python -m tests.support.debian_programs` fetches those that are missing.

The packages are Debian's. They are unpacked, not installed: no service starts, and nothing outside this folder changes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from localbase.cli.terminal import Progress

from tests.support.stacks import ROOT

_UNPACKED = ROOT / ".localbase" / "debian"
# A program's packages, those of its libraries that a small system lacks among them.
_PACKAGES = {"nginx": ("nginx",), "pgbouncer": ("pgbouncer", "libevent-2.1-7", "libc-ares2")}


def find_program(name: str) -> str | None:
    """The system's, or the one unpacked here."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
    return shutil.which(name, path=path) or shutil.which(name, path=str(_UNPACKED / "usr" / "sbin"))


def program_environ() -> dict[str, str]:
    """The environment in which an unpacked program finds its libraries."""
    folders = [str(folder) for folder in (_UNPACKED / "usr" / "lib").glob("*-linux-gnu")]
    return {**os.environ, **({"LD_LIBRARY_PATH": ":".join(folders)} if folders else {})}


def unpack(name: str) -> None:
    """Where there is no apt-get, or no network, a program stays missing, and its test says so."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["apt-get", "download", "-q", *_PACKAGES[name]], cwd=folder, capture_output=True, check=False
        )
        if done.returncode:
            return
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", str(package), str(_UNPACKED)], check=True)


if __name__ == "__main__":
    for missing in (name for name in _PACKAGES if find_program(name) is None):
        with Progress().step(f"fetching {missing} for the tests"):
            unpack(missing)
