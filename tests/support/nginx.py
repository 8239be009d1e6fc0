"""Finds nginx for the test of static hosting; `python -m tests.support.nginx` fetches Debian's where there is none.

The package is unpacked, not installed: no service starts, and nothing outside this folder changes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from localbase.cli.terminal import Progress

from tests.support.stacks import ROOT

_UNPACKED = ROOT / ".localbase" / "nginx"


def find_nginx() -> str | None:
    """The system's nginx, or the one unpacked here."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
    return shutil.which("nginx", path=path) or shutil.which("nginx", path=str(_UNPACKED / "usr" / "sbin"))


def unpack_nginx() -> None:
    """Return where there is no apt-get, or no network, nginx stays missing, and its test says so."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        return
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["apt-get", "download", "-q", "nginx"], cwd=folder, capture_output=True, check=False
        )
        if done.returncode:
            return
        for package in Path(folder).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", str(package), str(_UNPACKED)], check=True)


if __name__ == "__main__":
    if find_nginx() is None:
        with Progress().step("fetching nginx for the test of static hosting"):
            unpack_nginx()
