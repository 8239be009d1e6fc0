"""Finds the browser for the end-to-end tests; `python -m tests.browser` installs Debian's Chromium if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from localbase.cli.terminal import Progress

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MACOS = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    """The program named by CHROMIUM, or the first browser found."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    return found or (str(_MACOS) if _MACOS.exists() else None)


def install_browser() -> None:
    """Debian's Chromium, through apt-get. Ends the program with what to do where that is not possible."""
    apt = shutil.which("apt-get")
    if apt is None:
        sys.exit("error: no Chromium or Chrome was found.\n  → Install one, or set CHROMIUM to its program.")
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environ = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    with Progress().step("installing Chromium for the browser tests"):
        update = subprocess.run(
            [*prefix, apt, "update", "-q"], env=environ, stdout=subprocess.DEVNULL, check=False
        )
        install = [*prefix, apt, "install", "-y", "-q", "--no-install-recommends", "chromium"]
        done = subprocess.run(install, env=environ, stdout=subprocess.DEVNULL, check=False)
    if update.returncode or done.returncode:
        sys.exit(
            "error: Chromium could not be installed.\n"
            "  → Run `sudo apt-get install chromium`, or set CHROMIUM to a browser's program."
        )


if __name__ == "__main__":
    if find_browser() is None:
        install_browser()
